import {
  type RuleInput,
  type Finding,
  type Path,
  type Rule,
  containers,
  structAt,
  found,
} from "./rule-input.ts";
import {
  requiredBySourceKind,
  fieldsOfOtherKind,
  readOnlyFields,
  customUrlOnRepohost,
  resourceSpecOnRepohost,
  internalSourceFields,
  fieldsToAvoid,
  hostedOnly,
} from "./source-kind-rules.ts";
import {
  nameIsDnsLabel,
  nameIsShort,
  displayNameIsSet,
  dnsLabels,
  duplicateNames,
  mountsMatchVolumes,
  valueWithValueFrom,
  variableNames,
  reservedSecretNames,
  sourceVariable,
  lineBreaks,
} from "./name-rules.ts";
import { limitBelowRequest, minAboveMax, fractionsOfCores, negativeSizes } from "./size-rules.ts";

/** contributing/interface.md, SourceConfig: `build_on_push` cannot be true when `repo_ref` is a tag. */
function buildOnPushWithTag({ body }: RuleInput): Finding[] {
  const ref = structAt(body, "source_revision_config")?.["repo_ref"];
  return structAt(body, "source_config")?.["build_on_push"] === true &&
    typeof ref === "string" &&
    ref.startsWith("refs/tags/")
    ? [
        found(
          "error",
          "value",
          ["source_config", "build_on_push"],
          "cannot be true while repo_ref is a tag; write false, or a branch name as repo_ref",
        ),
      ]
    : [];
}

/**
 * A PATCH with the same tag builds nothing new, and a moved tag is not seen; those of a pod's other
 * containers neither.
 */
function mutableImageTag({ body }: RuleInput): Finding[] {
  const own = structAt(body, "source_revision_config")?.["image_uri"];
  const images: [Path, unknown][] = [
    [["source_revision_config", "image_uri"], own],
    ...containers(body).map(({ path, container }): [Path, unknown] => [
      [...path, "image"],
      container["image"],
    ]),
  ];
  return images.flatMap(([path, image]) =>
    typeof image === "string" && image !== "" && !/@sha256:[0-9a-f]{64}$/iu.test(image.trim())
      ? [
          found(
            "warning",
            "value",
            path,
            "names an image by a tag that can move, and an unchanged tag is not redeployed; write the digest, as in image@sha256:…",
          ),
        ]
      : [],
  );
}

/** Every rule, in the order in which they are checked. */
export const RULES: readonly Rule[] = [
  requiredBySourceKind,
  fieldsOfOtherKind,
  readOnlyFields,
  nameIsDnsLabel,
  nameIsShort,
  displayNameIsSet,
  buildOnPushWithTag,
  customUrlOnRepohost,
  resourceSpecOnRepohost,
  internalSourceFields,
  dnsLabels,
  duplicateNames,
  mountsMatchVolumes,
  valueWithValueFrom,
  variableNames,
  limitBelowRequest,
  minAboveMax,
  negativeSizes,
  lineBreaks,
  reservedSecretNames,
  sourceVariable,
  fieldsToAvoid,
  hostedOnly,
  fractionsOfCores,
  mutableImageTag,
];
