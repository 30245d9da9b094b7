import { systemClock } from "../../process/clock.ts";

const patience = 15_000;
/** The looked-at state may also change elsewhere: at the platform. */
const everyMs = 100;

/** Looks now, after every change and a few times a second until there is something; rejects after 15 seconds of real time. */
export function until<T>(
  onChange: (listener: () => void) => () => void,
  look: () => T | undefined | false,
  what = "something that did not come",
): Promise<T> {
  return new Promise((resolve, reject) => {
    let stop = () => {};
    const callOff = systemClock.after(patience, () => {
      stop();
      reject(new Error(`The practice workspace waited 15 seconds for ${what}.`));
    });
    function check(): void {
      const seen = attempt();
      if (seen === undefined || seen === false) return;
      stop();
      callOff();
      resolve(seen);
    }
    function attempt(): T | undefined | false {
      try {
        return look();
      } catch (error) {
        stop();
        callOff();
        reject(error);
        return undefined;
      }
    }
    const endListening = onChange(check);
    const looking = setInterval(check, everyMs);
    stop = () => {
      endListening();
      clearInterval(looking);
    };
    check();
  });
}
