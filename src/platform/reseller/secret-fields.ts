export { type Parted, partSecrets, type SecretField } from "../../secret-parts.ts";
