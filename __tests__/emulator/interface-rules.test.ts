import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { container, locations, open, repohost, type Client } from "./client.ts";
import {
  DATASET_REPLY,
  ENV,
  EXPERIMENT_REPLY,
  FEEDBACK,
  kindOf,
  linesOf,
  NESTED,
  RESOURCE_SPEC,
  SOURCE_CONFIG,
  SOURCE_REVISION_CONFIG,
  UPLOAD,
  UPLOAD_ROW,
  type FieldLine,
} from "./interface-rules.ts";
import { experiment, upload } from "./upload-body.ts";

/** One rule of contributing/interface.md, asked over HTTP. */
type Rule = readonly [rule: string, holds: () => Promise<void>];

/** `strict`: the document by itself; `usual` has the lists too; `filled` reads defaults back. */
let strict: Client;
let usual: Client;
let filled: Client;
beforeAll(async () => {
  strict = await open({ strict: true });
  usual = await open();
  filled = await open({ readback: "hosted" });
});
afterAll(async () => {
  for (const one of [strict, usual, filled]) await one.running.close();
});

const D = "/v2/deployments";
const show = (value: unknown): string => JSON.stringify(value) ?? "absent";
const create = (body: unknown): ReturnType<Client["call"]> => strict.call("POST", D, body);
const patch = (id: string, body: unknown): ReturnType<Client["call"]> =>
  strict.call("PATCH", `${D}/${id}`, body);

/** What a place in a create is: the body with a value there, and the value that a reply shows. */
interface Place {
  readonly at: string;
  readonly body: (value: unknown) => any;
  readonly read: (made: any) => unknown;
}

/** Type, nullability, presence: the rules that every row of a field table states. */
function valueRules({ kind, notes }: FieldLine, place: Place): Rule[] {
  const { good, bad } = kindOf(kind);
  const required = notes.includes("!");
  const accepted = (value: unknown) => async (): Promise<void> => {
    const made = await create(place.body(value));
    expect([made.status, made.body.detail]).toEqual([200, undefined]);
    if (value !== undefined && value !== null) expect(place.read(made.body)).toEqual(value);
  };
  const refused = (value: unknown) => async (): Promise<void> => {
    const wrong = await create(place.body(value));
    expect(wrong.status).toBe(422);
    expect(locations(wrong).some((at) => at.startsWith(place.at))).toBe(true);
  };
  return [
    [`${place.at} takes ${show(good)} and shows it`, accepted(good)],
    ...bad.map((value): Rule => [`${place.at} refuses ${show(value)}`, refused(value)]),
    [
      `${place.at} null: ${required ? "refused" : "taken"}`,
      required ? refused(null) : accepted(null),
    ],
    [
      `${place.at} absent: ${required ? "refused" : "taken"}`,
      required ? refused(undefined) : accepted(undefined),
    ],
  ];
}

/** Which source has a field, and what a PATCH does with it. */
function configRules(group: "source_config" | "source_revision_config", text: string): Rule[] {
  return linesOf(text).flatMap((line): Rule[] => {
    const { name, kind, notes } = line;
    const { good, other } = kindOf(kind);
    const at = `${group}.${name}`;
    const base = notes.includes("container") ? container : repohost;
    const put = (value: unknown): any => ({ [group]: { [name]: value } });
    if (notes.includes("read-only"))
      return [
        [
          `${at} is read-only`,
          async () => {
            const made = (await create(base(put("f".repeat(40))))).body;
            expect(made[group][name]).toMatch(/^[0-9a-f]{40}$/);
            expect(made[group][name]).not.toBe("f".repeat(40));
          },
        ],
      ];
    const place: Place = {
      at: `body.${at}`,
      body: (value) => base(put(value)),
      read: (made) => made[group][name],
    };
    const made = async (): Promise<any> => (await create(base(put(good)))).body;
    const stranger = notes.includes("container") ? repohost : container;
    const only: Rule[] = notes.some((note) => note === "repohost" || note === "container")
      ? [
          [
            `${at} is only for ${notes.includes("container") ? "external_container" : "repohost"}`,
            async () => expect((await create(stranger(put(good)))).status).toBe(400),
          ],
        ]
      : [];
    const changes: Rule = notes.includes("fixed")
      ? [
          `${at} is not changeable by PATCH`,
          async () => {
            const changed = name === "listener_config" ? { k8s_namespace: "other" } : other;
            expect((await patch((await made()).id, put(changed))).status).toBe(400);
          },
        ]
      : [
          `${at} is changed by PATCH`,
          async () => {
            const patched = await patch((await made()).id, put(other));
            expect([patched.status, patched.body[group][name]]).toEqual([200, other]);
          },
        ];
    const builds: Rule = [
      `a PATCH of ${at} makes ${notes.includes("builds") ? "a" : "no"} revision`,
      async () => {
        const before = await made();
        const value = notes.includes("fixed") ? good : other;
        const after = (await patch(before.id, put(value))).body;
        expect(after.latest_revision_id !== before.latest_revision_id).toBe(
          notes.includes("builds"),
        );
      },
    ];
    const nulls: Rule = [
      `a PATCH with ${at} null changes nothing`,
      async () => {
        const before = await made();
        const after = (await patch(before.id, put(null))).body;
        expect([after[group], after.latest_revision_id]).toEqual([
          before[group],
          before.latest_revision_id,
        ]);
      },
    ];
    return [...valueRules(line, place), ...only, changes, builds, nulls];
  });
}

const VOLUMES = [{ name: "data", emptyDir: {} }];
const spec = (over: object): any => container({ source_config: { resource_spec: over } });

const resourceRules = (): Rule[] =>
  linesOf(RESOURCE_SPEC).flatMap((line): Rule[] => {
    const { name, notes } = line;
    const place: Place = {
      at: `body.source_config.resource_spec.${name}`,
      body: (value) => spec({ [name]: value }),
      read: (made) => made.source_config.resource_spec[name],
    };
    const [times, of] =
      notes
        .find((note) => note.startsWith("="))
        ?.slice(1)
        .split("*") ?? [];
    const defaults: Rule[] =
      of === undefined
        ? []
        : [
            [
              `${name} is ${times} x ${of} where it is absent`,
              async () => {
                const made = await filled.create(spec({ [of]: 6 }));
                expect(made.source_config.resource_spec[name]).toBe(6 * Number(times));
              },
            ],
            [
              `${name} is as given beside ${of}`,
              async () => {
                const made = await filled.create(spec({ [of]: 6, [name]: 7 }));
                expect(made.source_config.resource_spec[name]).toBe(7);
              },
            ],
          ];
    return [...valueRules(line, place), ...defaults];
  });

const nestedRules = (): Rule[] =>
  Object.entries(NESTED).flatMap(([list, { good, fields }]) =>
    linesOf(fields).flatMap((line) => {
      const item = (value: unknown): object => {
        const { [line.name]: _, ...rest } = good as Record<string, unknown>;
        return value === undefined ? rest : { ...rest, [line.name]: value };
      };
      return valueRules(line, {
        at: `body.source_config.resource_spec.${list}.0.${line.name}`,
        body: (value) =>
          spec({ ...(list === "volumes" ? {} : { volumes: VOLUMES }), [list]: [item(value)] }),
        read: (made) => made.source_config.resource_spec[list][0][line.name],
      });
    }),
  );

const sidecar = (over: object): any => spec({ sidecars: [{ name: "s", image: "i", ...over }] });
const envRules = (): Rule[] => [
  ...linesOf(ENV).flatMap((line) =>
    valueRules(line, {
      at: `body.source_config.resource_spec.sidecars.0.env.0.${line.name}`,
      body: (value) => {
        const { [line.name]: _, ...rest } = { name: "A" } as Record<string, unknown>;
        return sidecar({ env: [value === undefined ? rest : { ...rest, [line.name]: value }] });
      },
      read: (made) => made.source_config.resource_spec.sidecars[0].env[0][line.name],
    }),
  ),
  ...(
    [
      ["valueFrom goes with an empty value", { name: "A", value: "", valueFrom: {} }, 200],
      ["valueFrom does not go with a value", { name: "A", value: "x", valueFrom: {} }, 422],
    ] as const
  ).map(
    ([rule, env, status]): Rule => [
      rule,
      async () => expect((await create(sidecar({ env: [env] }))).status).toBe(status),
    ],
  ),
  ...(["limits", "requests"] as const).flatMap((part): Rule[] => [
    [
      `resources.${part} maps strings to strings`,
      async () =>
        expect((await create(sidecar({ resources: { [part]: { cpu: "1" } } }))).status).toBe(200),
    ],
    [
      `resources.${part} refuses numbers`,
      async () =>
        expect((await create(sidecar({ resources: { [part]: { cpu: 1 } } }))).status).toBe(422),
    ],
  ]),
  [
    "names of volumes are unique within the pod",
    async () =>
      expect((await create(spec({ volumes: [...VOLUMES, ...VOLUMES] }))).status).toBe(422),
  ],
  ...["Data", "a_b", "-a", "a-", "", "a".repeat(64)].map(
    (name): Rule => [
      `a volume's name is a DNS label: ${show(name)} is refused`,
      async () => expect((await create(spec({ volumes: [{ name }] }))).status).toBe(422),
    ],
  ),
];

/** The same rules over the three tables of the upload request. */
function uploadRules(
  text: string,
  prefix: string,
  body: (field: string, value: unknown) => any,
): Rule[] {
  return linesOf(text).flatMap(({ name, kind, notes }): Rule[] => {
    const { good, other, bad } = kindOf(kind);
    const required = notes.includes("!");
    const sent = (value: unknown): ReturnType<typeof upload> => {
      const unique = name === "experiment_name" && typeof value === "string";
      return upload(strict, body(name, unique ? `${value} ${Math.random()}` : value));
    };
    const taken = (value: unknown) => async (): Promise<void> => {
      const answered = await sent(value);
      expect([answered.status, answered.body.detail]).toEqual([200, undefined]);
    };
    const refused = (value: unknown) => async (): Promise<void> => {
      const answered = await sent(value);
      expect(answered.status).toBe(422);
      expect(locations(answered).some((at) => at.startsWith(prefix + name))).toBe(true);
    };
    const at = prefix + name;
    return [
      [`${at} takes ${show(good)}`, taken(good)],
      [`${at} takes ${show(other)}`, taken(other)],
      ...bad.map((value): Rule => [`${at} refuses ${show(value)}`, refused(value)]),
      [`${at} null: ${required ? "refused" : "taken"}`, required ? refused(null) : taken(null)],
      [
        `${at} absent: ${required ? "refused" : "taken"}`,
        required ? refused(undefined) : taken(undefined),
      ],
    ];
  });
}

const withField = (base: any, field: string, value: unknown): any => {
  const { [field]: _, ...rest } = base;
  return value === undefined ? rest : { ...rest, [field]: value };
};
const oneRow = (field: string, value: unknown): any =>
  experiment({ results: [withField(experiment().results[0], field, value)] });
const oneScore = (field: string, value: unknown): any =>
  oneRow("evaluation_scores", [withField({ key: "k" }, field, value)]);
const summary = (field: string, value: unknown): any =>
  experiment({ summary_experiment_scores: [withField({ key: "k" }, field, value)] });

const REPLIES: Readonly<Record<string, (value: unknown) => void>> = {
  text: (value) => expect(typeof value).toBe("string"),
  nullable: (value) => expect(value === null || typeof value !== "number").toBe(true),
  time: (value) => expect(Number.isNaN(Date.parse(value as string))).toBe(false),
  null: (value) => expect(value).toBeNull(),
  true: (value) => expect(value).toBe(true),
  uuid: (value) => expect(value).toMatch(/^[0-9a-f-]{36}$/),
  integer: (value) => expect(Number.isInteger(value)).toBe(true),
};

const replyRules = (part: "dataset" | "experiment", text: string): Rule[] =>
  linesOf(text).flatMap(({ name, kind, notes }): Rule[] => {
    const right: Rule = [
      `the answer's ${part}.${name} is ${kind}`,
      async () => {
        const { body } = await upload(usual, experiment());
        expect(Object.keys(body[part])).toContain(name);
        REPLIES[kind]!(body[part][name]);
      },
    ];
    if (part === "dataset" || kind !== "null") return [right];
    const later: Rule = [
      `${name} ${notes.includes("later") ? "is there" : "stays null"} a few seconds later`,
      async () => {
        const [row] = experiment().results;
        const scored = { ...row, evaluation_scores: [{ key: "k", score: 1 }] };
        const made = await upload(usual, experiment({ results: [scored] }));
        usual.running.emulator.advance(10_000);
        const read = await usual.call("GET", `/api/v1/sessions/${made.body.experiment.id}`);
        expect(read.body[name] === null).toBe(!notes.includes("later"));
      },
    ];
    return [right, later];
  });

describe.each([
  ["SourceConfig", configRules("source_config", SOURCE_CONFIG)],
  ["SourceRevisionConfig", configRules("source_revision_config", SOURCE_REVISION_CONFIG)],
  ["ResourceSpec", resourceRules()],
  ["Volume, VolumeMount, Container, LocalObjectReference", nestedRules()],
  ["EnvVar, ResourceRequirements, names", envRules()],
  [
    "Experiment upload request",
    uploadRules(UPLOAD, "body.", (field, value) => withField(experiment(), field, value)),
  ],
  ["Row", uploadRules(UPLOAD_ROW, "body.results.0.", oneRow)],
  ["Feedback of a row", uploadRules(FEEDBACK, "body.results.0.evaluation_scores.0.", oneScore)],
  ["Feedback of the whole", uploadRules(FEEDBACK, "body.summary_experiment_scores.0.", summary)],
  ["Upload response, dataset", replyRules("dataset", DATASET_REPLY)],
  ["Upload response, experiment", replyRules("experiment", EXPERIMENT_REPLY)],
])("contributing/interface.md, %s", (_, rules) => {
  test.each(rules as Rule[])("%s", (_rule, holds) => holds());
});

const DEPLOYMENT = ["name", "source", "source_config", "source_revision_config", "secrets"];
const READ_ONLY = [
  "id",
  "created_at",
  "updated_at",
  "status",
  "latest_revision_id",
  "active_revision_id",
];

describe("contributing/interface.md, Deployment and Secret", () => {
  test.each(DEPLOYMENT)("%s is required", async (field) => {
    const wrong = await create(withField(repohost(), field, undefined));
    expect([wrong.status, locations(wrong)]).toEqual([422, [`body.${field}`]]);
  });
  test.each(DEPLOYMENT)("%s cannot be null or of another type", async (field) => {
    for (const value of [null, 7])
      expect((await create(withField(repohost(), field, value))).status).toBe(422);
  });
  test.each([...DEPLOYMENT, ...READ_ONLY])("%s is in the response", async (field) => {
    expect(Object.keys((await create(repohost())).body)).toContain(field);
  });
  test.each(READ_ONLY)("%s is read-only: a value in a create is ignored", async (field) => {
    const made = (await create({ ...repohost(), [field]: "written" })).body;
    expect(made[field]).not.toBe("written");
  });
  test.each(READ_ONLY)("%s is read-only: a value in a PATCH is ignored", async (field) => {
    const { id } = (await create(repohost())).body;
    expect((await patch(id, { [field]: "written" })).body[field]).not.toBe("written");
  });
  test.each([
    ["name", "another"],
    ["source", "external_container"],
  ])("%s cannot change after creation", async (field, value) => {
    const { id } = (await create(repohost())).body;
    expect((await patch(id, { [field]: value })).status).toBe(400);
  });
  test.each(["repohost", "external_container"])("source may be %s", async (source) => {
    const base = source === "repohost" ? repohost() : container();
    expect((await create(base)).body.source).toBe(source);
  });
  test.each(["gitserver", "", "Repohost"])("source %j is refused", async (source) => {
    expect((await create({ ...repohost(), source })).status).toBe(422);
  });
  test.each([
    [{}],
    [{ name: "A" }],
    [{ value: "b" }],
    [{ name: 1, value: "b" }],
    [{ name: "A", value: 1 }],
    ["A"],
  ])("a secret needs a name and a value: %j is refused", async (secret) =>
    expect((await create(repohost({ secrets: [secret] }))).status).toBe(422),
  );
  test("a PATCH with secrets replaces them and makes a revision; null does not", async () => {
    const made = (await create(repohost({ secrets: [{ name: "A", value: "a" }] }))).body;
    const kept = (await patch(made.id, { secrets: null })).body;
    expect([kept.secrets, kept.latest_revision_id]).toEqual([
      made.secrets,
      made.latest_revision_id,
    ]);
    const after = (await patch(made.id, { secrets: [{ name: "B", value: "b" }] })).body;
    expect(after.secrets).toEqual([{ name: "B", value: "b" }]);
    expect(after.latest_revision_id).not.toBe(made.latest_revision_id);
  });
  test.each([
    [true, 400],
    [false, 200],
    [null, 200],
  ])("build_on_push %j with a tag is %i", async (build_on_push, status) => {
    const body = repohost({
      source_config: { build_on_push },
      source_revision_config: { repo_ref: "refs/tags/v1" },
    });
    expect((await create(body)).status).toBe(status);
  });
  test("a resource_spec in a PATCH overwrites the existing one", async () => {
    const made = (await create(spec({ cpu: 1, memory_mb: 512 }))).body;
    const after = (await patch(made.id, { source_config: { resource_spec: { cpu: 2 } } })).body;
    expect(after.source_config.resource_spec).toEqual({ cpu: 2 });
  });
  test("a create creates a tracing project of the same name", async () => {
    const { name } = await usual.create(repohost());
    const found = (await usual.call("GET", `/api/v1/sessions?name=${name}`)).body;
    expect(found.map((one: any) => one.name)).toEqual([name]);
  });
  test("the latest revision reaches DEPLOYED, and then is the active one", async () => {
    const made = (await create(repohost())).body;
    strict.running.emulator.advance(60_000);
    const at = `${D}/${made.id}`;
    const revision = await strict.call("GET", `${at}/revisions/${made.latest_revision_id}`);
    expect(revision.body.status).toBe("DEPLOYED");
    const live = (await strict.call("GET", at)).body;
    expect([live.active_revision_id, live.status]).toEqual([made.latest_revision_id, "READY"]);
  });
});

const NOBODY = "00000000-0000-4000-8000-000000000000";

describe("contributing/interface.md, Endpoints and Errors", () => {
  test.each([
    ["GET", `${D}/x`],
    ["PATCH", `${D}/x`],
    ["GET", `${D}/${NOBODY}/revisions/x`],
    ["POST", `${D}/x/revisions/${NOBODY}/redeploy`],
    ["POST", `${D}/${NOBODY}/revisions/x/redeploy`],
    ["POST", `${D}/x/revisions/x/redeploy`],
  ])("%s %s without a UUID is a 422 with loc, msg and type", async (method, path) => {
    const wrong = await strict.call(method, path, method === "PATCH" ? {} : undefined);
    expect(wrong.status).toBe(422);
    expect(wrong.body.detail).toHaveLength(path.split("/x").length - 1);
    for (const one of wrong.body.detail)
      expect([one.loc[0], typeof one.msg, typeof one.type]).toEqual(["path", "string", "string"]);
  });
  test.each([
    ["GET", `${D}/${NOBODY}`],
    ["PATCH", `${D}/${NOBODY}`],
    ["GET", `${D}/${NOBODY}/revisions/${NOBODY}`],
    ["POST", `${D}/${NOBODY}/revisions/${NOBODY}/redeploy`],
  ])("%s %s of an unknown deployment is a 404 in the documented words", async (method, path) => {
    const none = await strict.call(method, path, method === "PATCH" ? {} : undefined);
    expect([none.status, none.body]).toEqual([
      404,
      { detail: `Deployment ID ${NOBODY} not found.` },
    ]);
  });
  test("redeploying a deployment that is being deleted is a 400 with a detail", async () => {
    const made = await usual.create(repohost());
    await usual.call("DELETE", `${D}/${made.id}`);
    const at = `${D}/${made.id}/revisions/${made.latest_revision_id}/redeploy`;
    const refused = await usual.call("POST", at);
    expect([refused.status, typeof refused.body.detail]).toEqual([400, "string"]);
  });
  test.each([{ revision_source: "nope" }, { name: "other", revision_source: "nope" }])(
    "PATCH %j of a deployment that is being deleted is a 400 for that reason",
    async (body) => {
      const { id } = await usual.create(repohost());
      await usual.call("DELETE", `${D}/${id}`);
      const refused = await usual.call("PATCH", `${D}/${id}`, body);
      expect([refused.status, refused.body.detail]).toEqual([
        400,
        `Deployment ID ${id} is being deleted.`,
      ]);
    },
  );
  test("PATCH of a fixed field and a wrong revision_source is a 400 for the field", async () => {
    const made = await usual.create(repohost());
    const both = { name: "other", revision_source: "nope" };
    const refused = await usual.call("PATCH", `${D}/${made.id}`, both);
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      "name cannot be changed once the deployment is created.",
    ]);
    const { revision_source } = both;
    const wrong = await usual.call("PATCH", `${D}/${made.id}`, { revision_source });
    expect([wrong.status, locations(wrong)]).toEqual([422, ["body.revision_source"]]);
  });
  test("a redeploy returns the deployment", async () => {
    const made = (await create(repohost())).body;
    const at = `${D}/${made.id}/revisions/${made.latest_revision_id}/redeploy`;
    const again = await strict.call("POST", at);
    expect([again.status, again.body.id, again.headers.get("content-type")]).toEqual([
      200,
      made.id,
      "application/json",
    ]);
  });
  test.each([
    ["GET", "/v1/integrations/repohost/install"],
    ["GET", "/v2/listeners"],
  ])("%s %s lists ids", async (method, path) => {
    const { status, body } = await strict.call(method, path);
    const [first] = body.resources ?? body;
    expect([status, first.id]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });
  test.each([
    [{ "x-api-key": "" }, 401],
    [{ "x-api-key": "k" }, 200],
    [{ "X-API-KEY": "k" }, 200],
  ])("the header X-Api-Key carries the key: %j is %i", async (headers, status) => {
    const answered = await fetch(`${strict.running.url}/v2/listeners`, { headers });
    expect(answered.status).toBe(status);
  });
  test.each([
    ["dataset_name", undefined],
    ["dataset_id", NOBODY.replace("0", "4")],
  ])("an upload to a dataset by %s generates the other field", async (field, given) => {
    const base = withField(experiment(), "dataset_name", undefined);
    const sent = { ...base, [field]: given ?? `by-name-${Math.random()}` };
    const { dataset } = (await upload(strict, sent)).body;
    expect([typeof dataset.id, dataset.name.length > 0]).toEqual(["string", true]);
    expect(dataset[field === "dataset_id" ? "id" : "name"]).toBe(sent[field]);
  });
  test("an upload without dataset_id and dataset_name is refused", async () => {
    const neither = await upload(strict, withField(experiment(), "dataset_name", undefined));
    expect(neither.status).toBe(422);
  });
  test.each(["dataset_id", "dataset_name"] as const)(
    "a second upload with the same %s adds to the dataset",
    async (field) => {
      const first = (await upload(strict, experiment())).body.dataset;
      const value = field === "dataset_id" ? first.id : first.name;
      const base = withField(experiment(), "dataset_name", undefined);
      const second = (await upload(strict, { ...base, [field]: value })).body.dataset;
      expect([second.id, second.session_count]).toEqual([first.id, 2]);
    },
  );
  test("an upload to a dataset that no upload created is refused", async () => {
    usual.running.emulator.seed({ datasets: [{ name: "made-elsewhere" }] });
    const refused = await upload(usual, experiment({ dataset_name: "made-elsewhere" }));
    expect(refused.status).toBe(422);
  });
  test.each([
    ["start_time", "2025-12-31T23:59:59"],
    ["start_time", "2026-01-01T01:00:01"],
    ["end_time", "2025-12-31T23:59:59"],
    ["end_time", "2026-01-01T01:00:00.001Z"],
  ])("a row's %s must be within the experiment: %s is refused", async (field, value) => {
    const outside = await upload(strict, oneRow(field, value));
    expect([outside.status, locations(outside)]).toEqual([422, [`body.results.0.${field}`]]);
  });
  test.each(["2026-01-01T00:00:00", "2026-01-01T01:00:00Z", "2026-01-01T02:00:00+01:00"])(
    "a row's time may be %s: both ends are inclusive, and zones are optional",
    async (value) => {
      const row = { ...experiment().results[0], start_time: value, end_time: value };
      expect((await upload(strict, experiment({ results: [row] }))).status).toBe(200);
    },
  );
});
