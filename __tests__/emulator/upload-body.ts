import type { Answered, Client } from "./client.ts";

let count = 0;

/** An upload body of one row, new in name and dataset each time. */
export function experiment(over: object = {}): any {
  count += 1;
  return {
    experiment_name: `experiment-${count}`,
    experiment_start_time: "2026-01-01T00:00:00",
    experiment_end_time: "2026-01-01T01:00:00Z",
    dataset_name: `dataset-${count}`,
    results: [
      {
        row_id: "33333333-3333-4333-8333-333333333333",
        inputs: { q: 1 },
        start_time: "2026-01-01T00:00:10",
        end_time: "2026-01-01T00:00:30.5",
      },
    ],
    ...over,
  };
}

export const upload = (client: Client, body: unknown): Promise<Answered> =>
  client.call("POST", "/api/v1/datasets/upload-experiment", body);
