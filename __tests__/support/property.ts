import fc from "fast-check";

// One seed for every run, so that a change is judged by what it changes; PROPERTY_SEED tries
// others, and a failure prints its own.
fc.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 20_261_121) });

export default fc;
