// process/webauthn/: passkeys without any storage: the site that they are made for, the statement that one signs, and the check of what it signed.

/** The address that passkeys are made for and used at. */
export interface PasskeySite {
  /** Base URL of the pages, without a slash at its end. */
  url: string;
  /** The origin that a browser writes into what it signs. */
  origin: string;
  /** The host name that passkeys are bound to. */
  rpId: string;
}

/**
 * The site of `PUBLIC_URL`, or the reason as a sentence why no passkey works there. Browsers make passkeys for a host name on https, and
 * for localhost without; an IP address is no name (WebAuthn Level 3, section 5.1.2).
 */
export function passkeySiteOf(publicUrl: string | undefined): PasskeySite | { problem: string } {
  if (publicUrl === undefined)
    return { problem: "Passkeys need an address of this app from outside, and the operator has set none." };
  const { protocol, hostname, origin } = new URL(publicUrl);
  if (hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname))
    return { problem: "Passkeys need a host name, and the public address of this app is an IP address." };
  if (protocol !== "https:" && hostname !== "localhost")
    return {
      problem: "Passkeys need https, and the public address of this app has http. Only localhost works without.",
    };
  return { url: publicUrl, origin, rpId: hostname };
}
