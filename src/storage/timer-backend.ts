import type { LaneBacklog, RunToken } from "./store.ts";

/** A due timer that was given to one opening, which must now run it. */
export interface ClaimedTimer {
  id: string;
  /** How often it has failed in a row. */
  failures: number;
  /** Names this run of it. */
  run: string;
}

/**
 * The timers of a backend, for one opening. Lanes, retries and runs are the same for all backends (lane.ts). A method that fails rejects
 * with StorageError.
 */
export interface TimerBackend {
  /** Milliseconds between looks for timers that were not announced: another process set them, or the answer to their write was lost. */
  lookEveryMs: number;
  /** Milliseconds that a lane rests after the store has failed. */
  pauseMs: number;
  /** Each lane with timers that wait, and the time of its next one. */
  waiting(): Promise<{ lane: string; at: number }[]>;
  /** Sets a timer; of several times the earliest counts. Announces it. */
  set(lane: string, id: string, at: number): Promise<void>;
  /** Gives this opening at most `room` due timers, the longest overdue first. `nextAt`: when the next one is due. */
  claimDue(lane: string, room: number): Promise<{ claimed: ClaimedTimer[]; nextAt: number }>;
  /** Makes every run of this opening due again, but for those of the ids in `running`: their claims did not reach it. */
  recover(lane: string, running: readonly string[]): Promise<void>;
  /**
   * Ends a run; the timer is due at `again`, or earlier if that was set meanwhile. A run that another opening has by now is not ended.
   * A report that fails may be repeated while `goesOn`; it rejects only after it has made the timer due again.
   */
  settle(lane: string, timer: ClaimedTimer, again: number | undefined, goesOn: () => boolean): Promise<void>;
  /** As `settle`, for a run that failed: the next try is at `at`. */
  putOff(lane: string, timer: ClaimedTimer, at: number, goesOn: () => boolean): Promise<void>;
  /** Rejects with RunLost unless the run is in progress. */
  prove(run: RunToken): Promise<void>;
  /** Each lane with due or failing timers. */
  backlog(): Promise<LaneBacklog[]>;
}
