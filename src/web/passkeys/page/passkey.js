// The one script of the pages that ask for a passkey. It sends nothing but what the person does on the page, and to this address alone.

const main = document.querySelector("main");
const status = document.querySelector("[role=status]");
const form = document.querySelector("form");

/** Bytes from base64url. */
function bytes(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** Base64url from bytes. */
function text(buffer) {
  const letters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function known(list) {
  return list.map(({ id, transports }) => ({ type: "public-key", id: bytes(id), transports }));
}

async function sign({ challenge, rpId, passkeys }) {
  const { id, response } = await navigator.credentials.get({
    publicKey: {
      challenge: bytes(challenge),
      rpId,
      allowCredentials: known(passkeys),
      userVerification: "required",
      timeout: 240_000,
    },
  });
  return {
    id,
    response: {
      authenticatorData: text(response.authenticatorData),
      clientDataJSON: text(response.clientDataJSON),
      signature: text(response.signature),
    },
  };
}

async function make({ challenge, rp, user, exclude }) {
  const { id, response } = await navigator.credentials.create({
    publicKey: {
      challenge: bytes(challenge),
      rp,
      user: { ...user, id: bytes(user.id) },
      pubKeyCredParams: [-7, -257].map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: known(exclude),
      authenticatorSelection: { residentKey: "discouraged", userVerification: "required" },
      attestation: "none",
      timeout: 240_000,
    },
  });
  return {
    id,
    response: {
      attestationObject: text(response.attestationObject),
      clientDataJSON: text(response.clientDataJSON),
      transports: response.getTransports?.() ?? [],
    },
  };
}

async function send(body) {
  const answer = await fetch(location.pathname, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.json();
}

/** Shows how it ended in place of the form, and moves a screen reader there. */
function end({ title, text: words }) {
  document.title = title;
  main.replaceChildren(element("h1", title), ...words.map((each) => element("p", each)));
  main.tabIndex = -1;
  main.focus();
}

function element(kind, words) {
  const made = document.createElement(kind);
  made.textContent = words;
  return made;
}

/** The reason why the browser itself did nothing, in words. The person may have pressed Cancel. */
function reason(error) {
  if (error.name === "NotAllowedError")
    return "Your browser or device did not confirm. Nothing was sent. You can try again.";
  if (error.name === "InvalidStateError") return "This device has a passkey for Rackbell already. Use another device.";
  // No answer at all, or one in plain text: of a proxy, or of a fault.
  if (error.name === "TypeError" || error.name === "SyntaxError")
    return "Rackbell does not answer. Check your connection, and try again.";
  return "This browser cannot use a passkey here. Try another browser or device.";
}

/** The passkey that the device made, if the browser then wanted another press before it signs. */
let made = null;

/** One way through: the decision is signed, or a passkey is made and signed for. */
async function run() {
  const options = JSON.parse(main.dataset.options);
  if (main.dataset.page === "sign") return send({ signed: await sign(options) });
  if (!made) {
    const begun = await send({ key: form.elements.key?.value ?? "" });
    if (!begun.make) return begun;
    made = { made: await make(begun.make), name: form.elements.name.value };
  }
  const taken = await send(made);
  if (taken.sign) return send({ ...made, signed: await sign(taken.sign) });
  made = null;
  return taken;
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  status.textContent = "One moment…";
  try {
    const answer = await run();
    if (answer.again) status.textContent = answer.text.join(" ");
    else end(answer);
  } catch (error) {
    status.textContent = reason(error);
  }
  button.disabled = false;
});
