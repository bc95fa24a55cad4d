import { Feedback, HeaderBody, RowBody } from "./row.ts";

// The build writes these lists down, so that no run loads zod for them.

/** Fields of the request but `results`, in the document's order. */
export const HEADER_FIELDS = Object.keys(HeaderBody.shape) as readonly (keyof HeaderBody)[];
/** Fields of one row, in the document's order. */
export const ROW_FIELDS = Object.keys(RowBody.shape) as readonly (keyof RowBody)[];
/** Fields of one score, in the document's order. */
export const FEEDBACK_FIELDS = Object.keys(Feedback.shape) as readonly (keyof Feedback)[];
