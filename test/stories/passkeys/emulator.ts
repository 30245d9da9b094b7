import { createRequire } from "node:module";
import NoFilter from "nofilter";

// The emulator's CBOR reads what it wrote with one read of its stream. Since Node.js 26 a read without a size gives the first chunk alone,
// so that each map ended after its head.
const { read } = NoFilter.prototype;
NoFilter.prototype.read = function readAll(size?: number) {
  return read.call(this, size ?? this.length);
};

interface Keys {
  loadCredentials(): object[];
  saveCredential(key: object): void;
}

type Interaction = () => { options: { uv: boolean; up: boolean } };

/** How a device differs from the usual one. */
export interface AuthenticatorParameters {
  algorithmIdentifiers: ("ES256" | "RS256" | "EdDSA")[];
  signCounterIncrement: number;
  stateless: boolean;
  userMakeCredentialInteraction: Interaction;
  userGetAssertionInteraction: Interaction;
  credentialsRepository: Keys;
}

/** The parts that the tests use. The package's own types do not fit `exactOptionalPropertyTypes`. */
interface Emulator {
  AuthenticatorEmulator: new (how: Partial<AuthenticatorParameters>) => object;
  PasskeysCredentialsMemoryRepository: new () => Keys;
  WebAuthnEmulator: new (
    device: object,
  ) => {
    createJSON(origin: string, options: object): object;
    getJSON(origin: string, options: object, related: string[]): object;
  };
}

const emulator: Emulator = createRequire(import.meta.url)("nid-webauthn-emulator");
export const { AuthenticatorEmulator, PasskeysCredentialsMemoryRepository, WebAuthnEmulator } = emulator;
