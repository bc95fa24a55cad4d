import { keeping } from "./column-names.ts";

/** A point in time with the text to send: the file's own if it has a zone, else with an explicit `Z`. */
export interface Instant {
  /** Microseconds since the epoch: result files have up to six digits, and row latencies can be that short. */
  readonly us: number;
  readonly text: string;
}

const SHAPE =
  /^(\d{4}-\d\d-\d\d)(?:([Tt ])(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)? ?(Z|z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** The message for any other text. */
export const NO_DATE_TIME = "is not a date-time; write ISO 8601, as 2026-01-31T12:00:00Z";

/**
 * Parses a date-time of a result file: ISO 8601 with or without zone (then UTC), with a space for
 * the T, only a date, RFC 1123, or epoch seconds, milliseconds or microseconds as a number; null
 * for anything else, including impossible dates.
 */
export function parseInstant(value: unknown): Instant | null {
  if (typeof value === "number") return fromEpoch(value);
  if (typeof value !== "string" || value.length > 40) return null;
  return parseIso(value) ?? parseMailDate(value);
}

const MAIL_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d\d):(\d\d):(\d\d) (GMT|UT|UTC|Z|[+-]\d{4})$/;

/** RFC 1123 (`Fri, 21 Nov 2026 23:49:21 GMT`), as written by `Date.toUTCString` and mocha. */
function parseMailDate(value: string): Instant | null {
  const match = MAIL_DATE.exec(value.trim());
  if (match === null) return null;
  const ms = Date.parse(value.trim());
  // V8 accepts days that the month lacks; read at its own offset, the day must be the written one.
  const zone = match[7]!;
  const offset = offsetMinutes(zone.startsWith("+") || zone.startsWith("-") ? zone : undefined);
  if (Number.isNaN(ms) || offset === null) return null;
  if (new Date(ms + offset * 60_000).getUTCDate() !== Number(match[1])) return null;
  return { us: ms * 1000, text: formatInstant(ms * 1000) };
}

/** When a day such as `2026-01-31` begins, in milliseconds; null if there is no such day. Rows share few days. */
const midnightOf = keeping((day): number | null => {
  const ms = Date.parse(`${day}T00:00:00Z`);
  // V8 accepts days that the month lacks, and then returns one of the next.
  return Number.isNaN(ms) || new Date(ms).getUTCDate() !== Number(day.slice(-2)) ? null : ms;
});

function parseIso(value: string): Instant | null {
  const match = SHAPE.exec(value.trim());
  if (match === null) return null;
  const [, day, separator, hour = "00", minute = "00", second = "00", fraction = "", zone] = match;
  const midnight = midnightOf(day!);
  if (midnight === null) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  const offset = offsetMinutes(zone);
  if (offset === null) return null;
  const us =
    (midnight + ((Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second)) * 1000) *
      1000 +
    Number(fraction.padEnd(6, "0").slice(0, 6));
  const plain =
    separator === "T" &&
    zone !== undefined &&
    zone !== "z" &&
    match[5] !== undefined &&
    second !== "60" &&
    !/[ ,]/.test(value) &&
    (zone === "Z" || zone.length === 6);
  return { us, text: plain ? value : formatInstant(us) };
}

function offsetMinutes(zone: string | undefined): number | null {
  if (zone === undefined || zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || "0");
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** Numbers too small for milliseconds are seconds, as for the service itself. */
function fromEpoch(value: number): Instant | null {
  if (!Number.isFinite(value) || value <= 0) return null;
  const fromMillisOrSeconds = value > 2e10 ? value * 1000 : value * 1e6;
  const us = Math.round(value > 1e14 ? value : fromMillisOrSeconds);
  return us > 253402300799e6 ? null : { us, text: formatInstant(us) };
}

/** RFC 3339 in UTC with three digits, or six if microseconds matter. */
export function formatInstant(us: number): string {
  const ms = Math.floor(us / 1000);
  const rest = us - ms * 1000;
  const text = new Date(ms).toISOString();
  return rest === 0 ? text : `${text.slice(0, -1)}${String(rest).padStart(3, "0")}Z`;
}

/** The instant at these microseconds since the epoch. */
export function instantAt(us: number): Instant {
  return { us, text: formatInstant(us) };
}
