import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { html } from "./html.js";

const gap = 4;

/** A list or menu by its `anchor`, above every dialog and cut off by none; it turns upwards where there is no room below. */
export function Popup({ anchor, onOutside, wide = false, children }) {
  const element = useRef(null);

  useLayoutEffect(() => {
    const popup = element.current;
    popup.showPopover();
    const follow = () => place(popup, anchor.current, wide);
    follow();
    addEventListener("scroll", follow, true);
    addEventListener("resize", follow);
    return () => {
      removeEventListener("scroll", follow, true);
      removeEventListener("resize", follow);
    };
  }, []);

  useLayoutEffect(() => place(element.current, anchor.current, wide));

  useEffect(() => {
    const pressed = (event) => {
      if (!element.current?.contains(event.target) && !anchor.current?.contains(event.target)) onOutside();
    };
    addEventListener("pointerdown", pressed, true);
    return () => removeEventListener("pointerdown", pressed, true);
  }, [onOutside]);

  return html`<div ref=${element} popover="manual" class="popup">${children}</div>`;
}

function place(popup, anchor, wide) {
  if (!popup || !anchor) return;
  const at = anchor.getBoundingClientRect();
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  popup.style.minWidth = wide ? `${at.width}px` : "";
  popup.style.maxWidth = `${wide ? Math.max(at.width, Math.min(360, width - 16)) : width - 16}px`;
  const below = height - at.bottom - gap - 8;
  const above = at.top - gap - 8;
  const upward = below < Math.min(popup.scrollHeight, 220) && above > below;
  popup.style.maxHeight = `${Math.min(320, upward ? above : below)}px`;
  popup.style.left = `${Math.max(8, Math.min(at.left, width - popup.offsetWidth - 8))}px`;
  popup.style.top = upward ? `${at.top - gap - popup.offsetHeight}px` : `${at.bottom + gap}px`;
}
