import { html } from "./html.js";

const paths = {
  lock: "M5 7V5a3 3 0 0 1 6 0v2m-7 0h8v6H4z",
  shared: "M6.5 9.500l3-3M5 8 3.7 9.300a2.1 2.1 0 0 0 3 3L8 11m0-6 1.3-1.300a2.1 2.1 0 0 1 3 3L11 8",
  close: "M3.5 3.500l9 9m0-9-9 9",
  back: "M10 3 5 8l5 5",
  down: "M4 6l4 4 4-4",
  eye: "M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  moon: "M13.5 9.800A6 6 0 0 1 6.200 2.500 6 6 0 1 0 13.500 9.800z",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  reply: "M2.500 3h11v7.500H7L4 13.500v-3H2.500z",
  more: "M3.500 7.600v.8M8 7.600v.8M12.500 7.600v.8",
  bolt: "M9 1.500 3.500 9H8l-1 5.500L12.500 7H8z",
  check: "M3 8.500l3.3 3.300L13 5",
  copy: "M6 5.500h7v8H6zM3 10.500v-8h7",
  warning: "M8 2 14.500 13.500h-13zM8 6.500v3.200m0 1.800v.200",
  phone: "M5 1.800h6v12.400H5zM7.300 12.200h1.400",
  people:
    "M6 2.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5zM1.500 13.500a4.500 4.500 0 0 1 9 0M11 3a2.300 2.300 0 0 1 0 4",
  file: "M4 1.800h5.500L12.5 5v9.200H4zM9.3 2v3.300h3",
};

/** A small line drawing that takes the colour of its text. */
export function Icon({ name, size = 16 }) {
  return html`<svg class="icon" width=${size} height=${size} viewBox="0 0 16 16" fill="none" stroke="currentColor"
    stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${paths[name]} /></svg>`;
}
