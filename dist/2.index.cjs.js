"use strict";
exports.id = 2;
exports.ids = [2];
exports.modules = {

/***/ 6156:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E3: () => (/* binding */ dialectOf),
/* harmony export */   PY: () => (/* binding */ dialectOfKey),
/* harmony export */   Qj: () => (/* binding */ spellKey),
/* harmony export */   _R: () => (/* binding */ spellPath),
/* harmony export */   cp: () => (/* binding */ spellSource),
/* harmony export */   lO: () => (/* binding */ spell),
/* harmony export */   tm: () => (/* binding */ integrationsPath)
/* harmony export */ });
const SOURCES = [
    ["repohost", "github"],
    ["external_container", "external_docker"],
];
const KEYS = [
    ["graph_config_path", "langgraph_config_path"],
];
const INTEGRATIONS = {
    document: "/v1/integrations/repohost/install",
    hosted: "/v1/integrations/github/install",
};
const HOSTED_SOURCES = ["internal_docker", "internal_source"];
function dialectOf(source) {
    if (SOURCES.some(([document]) => document === source))
        return "document";
    if (SOURCES.some(([, hosted]) => hosted === source) || HOSTED_SOURCES.includes(source))
        return "hosted";
    return undefined;
}
function dialectOfKey(key) {
    if (KEYS.some(([document]) => document === key))
        return "document";
    return KEYS.some(([, hosted]) => hosted === key) ? "hosted" : undefined;
}
function swap(table, word, to) {
    for (const [document, hosted] of table)
        if (word === document || word === hosted)
            return to === "hosted" ? hosted : document;
    return word;
}
function spellKey(key, to) {
    return swap(KEYS, key, to);
}
function spellSource(source, to) {
    return swap(SOURCES, source, to);
}
function spellPath(path, to) {
    return path
        .split(".")
        .map((key) => spellKey(key, to))
        .join(".");
}
function spell(body, to) {
    const out = { ...body };
    if (typeof out["source"] === "string")
        out["source"] = spellSource(out["source"], to);
    const revision = out["source_revision_config"];
    if (typeof revision === "object" && revision !== null) {
        out["source_revision_config"] = Object.fromEntries(Object.entries(revision).map(([key, value]) => [spellKey(key, to), value]));
    }
    return out;
}
function integrationsPath(dialect) {
    return INTEGRATIONS[dialect];
}


/***/ }),

/***/ 2939:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Tz: () => (/* binding */ allFields),
  zK: () => (/* reexport */ deploymentShape),
  UK: () => (/* binding */ fieldAt)
});

;// CONCATENATED MODULE: ./build/model/deployment-shape.js
const deploymentShape = { "kind": "struct", "fields": new Map([["name", { "name": "name", "meta": { "doc": "Name of the deployment and of its tracing project.", "mutability": "create-only" }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "name", "effect": undefined, "mutability": "create-only" }],
["source", { "name": "source", "meta": { "doc": "What the deployment is built from.", "mutability": "create-only" }, "required": true, "shape": { "kind": "scalar", "type": "enum", "values": ["repohost", "external_container", "internal_docker", "internal_source"] }, "path": "source", "effect": undefined, "mutability": "create-only" }],
["source_config", { "name": "source_config", "meta": { "doc": "Settings by source kind." }, "required": false, "shape": { "kind": "struct", "fields": new Map([["integration_id", { "name": "integration_id", "meta": { "doc": "Integration used; absent on create: the only one there is.", "only": "repohost", "mutability": "create-only", "readback": "sometimes" }, "required": false, "shape": { "kind": "scalar", "type": "uuid" }, "path": "source_config.integration_id", "effect": undefined, "mutability": "create-only" }],
["repo_url", { "name": "repo_url", "meta": { "doc": "Git repository URL.", "only": "repohost", "mutability": "create-only", "sensitive": "user-info", "readback": "sometimes" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.repo_url", "effect": undefined, "mutability": "create-only" }],
["deployment_type", { "name": "deployment_type", "meta": { "doc": "Kind of deployment.", "only": "repohost", "mutability": "create-only", "readback": "sometimes" }, "required": false, "shape": { "kind": "scalar", "type": "enum", "values": ["dev_free", "dev", "prod"] }, "path": "source_config.deployment_type", "effect": undefined, "mutability": "create-only" }],
["build_on_push", { "name": "build_on_push", "meta": { "doc": "Build a new revision when the branch in `repo_ref` is pushed; never true for a tag.", "only": "repohost", "effect": "in-place" }, "required": false, "shape": { "kind": "scalar", "type": "boolean" }, "path": "source_config.build_on_push", "effect": "in-place", "mutability": "mutable" }],
["custom_url", { "name": "custom_url", "meta": { "doc": "URL of the deployment.", "only": "external_container", "effect": "in-place", "sensitive": "user-info" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.custom_url", "effect": "in-place", "mutability": "mutable" }],
["resource_spec", { "name": "resource_spec", "meta": { "doc": "Replicas, CPU, memory, containers; replaced whole by the service.", "only": "external_container", "effect": "new-revision" }, "required": false, "shape": { "kind": "struct", "fields": new Map([["min_scale", { "name": "min_scale", "meta": { "doc": "Fewest replicas." }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.min_scale", "effect": "new-revision", "mutability": "mutable" }],
["max_scale", { "name": "max_scale", "meta": { "doc": "Most replicas." }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.max_scale", "effect": "new-revision", "mutability": "mutable" }],
["cpu", { "name": "cpu", "meta": { "doc": "CPU request per replica.", "hosted": "fraction" }, "required": false, "shape": { "kind": "scalar", "type": "number" }, "path": "source_config.resource_spec.cpu", "effect": "new-revision", "mutability": "mutable" }],
["cpu_limit", { "name": "cpu_limit", "meta": { "doc": "CPU limit per replica.", "default": { "of": "cpu", "times": 2 }, "hosted": "fraction" }, "required": false, "shape": { "kind": "scalar", "type": "number" }, "path": "source_config.resource_spec.cpu_limit", "effect": "new-revision", "mutability": "mutable" }],
["memory_mb", { "name": "memory_mb", "meta": { "doc": "Memory request per replica, MB." }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.memory_mb", "effect": "new-revision", "mutability": "mutable" }],
["memory_limit_mb", { "name": "memory_limit_mb", "meta": { "doc": "Memory limit per replica, MB.", "default": { "of": "memory_mb", "times": 2 } }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.memory_limit_mb", "effect": "new-revision", "mutability": "mutable" }],
["queue_min_scale", { "name": "queue_min_scale", "meta": { "doc": "Fewest replicas of the queue deployment.", "default": { "of": "min_scale", "times": 1 } }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.queue_min_scale", "effect": "new-revision", "mutability": "mutable" }],
["queue_max_scale", { "name": "queue_max_scale", "meta": { "doc": "Most replicas of the queue deployment.", "default": { "of": "max_scale", "times": 1 } }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.queue_max_scale", "effect": "new-revision", "mutability": "mutable" }],
["queue_cpu", { "name": "queue_cpu", "meta": { "doc": "CPU request per queue replica.", "default": { "of": "cpu", "times": 1 }, "hosted": "fraction" }, "required": false, "shape": { "kind": "scalar", "type": "number" }, "path": "source_config.resource_spec.queue_cpu", "effect": "new-revision", "mutability": "mutable" }],
["queue_cpu_limit", { "name": "queue_cpu_limit", "meta": { "doc": "CPU limit per queue replica.", "default": { "of": "queue_cpu", "times": 2 }, "hosted": "fraction" }, "required": false, "shape": { "kind": "scalar", "type": "number" }, "path": "source_config.resource_spec.queue_cpu_limit", "effect": "new-revision", "mutability": "mutable" }],
["queue_memory_mb", { "name": "queue_memory_mb", "meta": { "doc": "Memory request per queue replica, MB.", "default": { "of": "memory_mb", "times": 1 } }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.queue_memory_mb", "effect": "new-revision", "mutability": "mutable" }],
["queue_memory_limit_mb", { "name": "queue_memory_limit_mb", "meta": { "doc": "Memory limit per queue replica, MB.", "default": { "of": "queue_memory_mb", "times": 2 } }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.queue_memory_limit_mb", "effect": "new-revision", "mutability": "mutable" }],
["orchestrator_cpu", { "name": "orchestrator_cpu", "meta": { "doc": "Marked as not to be used.", "avoid": true, "hosted": "fraction" }, "required": false, "shape": { "kind": "scalar", "type": "number" }, "path": "source_config.resource_spec.orchestrator_cpu", "effect": "new-revision", "mutability": "mutable" }],
["orchestrator_cpu_limit", { "name": "orchestrator_cpu_limit", "meta": { "doc": "Marked as not to be used.", "avoid": true, "hosted": "fraction" }, "required": false, "shape": { "kind": "scalar", "type": "number" }, "path": "source_config.resource_spec.orchestrator_cpu_limit", "effect": "new-revision", "mutability": "mutable" }],
["orchestrator_memory_mb", { "name": "orchestrator_memory_mb", "meta": { "doc": "Marked as not to be used.", "avoid": true }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.orchestrator_memory_mb", "effect": "new-revision", "mutability": "mutable" }],
["orchestrator_memory_limit_mb", { "name": "orchestrator_memory_limit_mb", "meta": { "doc": "Marked as not to be used.", "avoid": true }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.orchestrator_memory_limit_mb", "effect": "new-revision", "mutability": "mutable" }],
["orchestrator_min_scale", { "name": "orchestrator_min_scale", "meta": { "doc": "Marked as not to be used.", "avoid": true }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.orchestrator_min_scale", "effect": "new-revision", "mutability": "mutable" }],
["orchestrator_max_scale", { "name": "orchestrator_max_scale", "meta": { "doc": "Marked as not to be used.", "avoid": true }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.orchestrator_max_scale", "effect": "new-revision", "mutability": "mutable" }],
["executor_cpu", { "name": "executor_cpu", "meta": { "doc": "Marked as not to be used.", "avoid": true, "hosted": "fraction" }, "required": false, "shape": { "kind": "scalar", "type": "number" }, "path": "source_config.resource_spec.executor_cpu", "effect": "new-revision", "mutability": "mutable" }],
["executor_cpu_limit", { "name": "executor_cpu_limit", "meta": { "doc": "Marked as not to be used.", "avoid": true, "hosted": "fraction" }, "required": false, "shape": { "kind": "scalar", "type": "number" }, "path": "source_config.resource_spec.executor_cpu_limit", "effect": "new-revision", "mutability": "mutable" }],
["executor_memory_mb", { "name": "executor_memory_mb", "meta": { "doc": "Marked as not to be used.", "avoid": true }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.executor_memory_mb", "effect": "new-revision", "mutability": "mutable" }],
["executor_memory_limit_mb", { "name": "executor_memory_limit_mb", "meta": { "doc": "Marked as not to be used.", "avoid": true }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.executor_memory_limit_mb", "effect": "new-revision", "mutability": "mutable" }],
["redis_cpu", { "name": "redis_cpu", "meta": { "doc": "CPU request of the key-value store deployment.", "hosted": "only" }, "required": false, "shape": { "kind": "scalar", "type": "number" }, "path": "source_config.resource_spec.redis_cpu", "effect": "new-revision", "mutability": "mutable" }],
["redis_cpu_limit", { "name": "redis_cpu_limit", "meta": { "doc": "CPU limit of the key-value store deployment.", "default": { "of": "redis_cpu", "times": 2 }, "hosted": "only" }, "required": false, "shape": { "kind": "scalar", "type": "number" }, "path": "source_config.resource_spec.redis_cpu_limit", "effect": "new-revision", "mutability": "mutable" }],
["redis_memory_mb", { "name": "redis_memory_mb", "meta": { "doc": "Memory of the key-value store deployment, MB." }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.redis_memory_mb", "effect": "new-revision", "mutability": "mutable" }],
["redis_memory_limit_mb", { "name": "redis_memory_limit_mb", "meta": { "doc": "Memory limit of the key-value store deployment, MB.", "default": { "of": "redis_memory_mb", "times": 1 }, "hosted": "only" }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.redis_memory_limit_mb", "effect": "new-revision", "mutability": "mutable" }],
["labels", { "name": "labels", "meta": { "doc": "Extra labels for created resources." }, "required": false, "shape": { "kind": "map" }, "path": "source_config.resource_spec.labels", "effect": "new-revision", "mutability": "mutable" }],
["annotations", { "name": "annotations", "meta": { "doc": "Extra annotations for created resources." }, "required": false, "shape": { "kind": "map" }, "path": "source_config.resource_spec.annotations", "effect": "new-revision", "mutability": "mutable" }],
["service_account_name", { "name": "service_account_name", "meta": { "doc": "Must already exist in the target namespace." }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.service_account_name", "effect": "new-revision", "mutability": "mutable" }],
["image_pull_secrets", { "name": "image_pull_secrets", "meta": { "doc": "Secrets of the same namespace, used to pull images.", "match": "name" }, "required": false, "shape": { "kind": "list", "item": { "kind": "struct", "fields": new Map([["name", { "name": "name", "meta": { "doc": "Name of a secret in the same namespace." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.image_pull_secrets.name", "effect": "new-revision", "mutability": "mutable" }]]) }, "match": "name" }, "path": "source_config.resource_spec.image_pull_secrets", "effect": "new-revision", "mutability": "mutable" }],
["volumes", { "name": "volumes", "meta": { "doc": "Volumes that containers can mount.", "match": "name" }, "required": false, "shape": { "kind": "list", "item": { "kind": "struct", "fields": new Map([["name", { "name": "name", "meta": { "doc": "DNS label, unique within the pod." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.volumes.name", "effect": "new-revision", "mutability": "mutable" }],
["configMap", { "name": "configMap", "meta": { "doc": "Kubernetes configMap volume source." }, "required": false, "shape": { "kind": "free" }, "path": "source_config.resource_spec.volumes.configMap", "effect": "new-revision", "mutability": "mutable" }],
["secret", { "name": "secret", "meta": { "doc": "Kubernetes secret volume source." }, "required": false, "shape": { "kind": "free" }, "path": "source_config.resource_spec.volumes.secret", "effect": "new-revision", "mutability": "mutable" }],
["emptyDir", { "name": "emptyDir", "meta": { "doc": "Kubernetes emptyDir volume source." }, "required": false, "shape": { "kind": "free" }, "path": "source_config.resource_spec.volumes.emptyDir", "effect": "new-revision", "mutability": "mutable" }],
["persistentVolumeClaim", { "name": "persistentVolumeClaim", "meta": { "doc": "Kubernetes persistentVolumeClaim volume source." }, "required": false, "shape": { "kind": "free" }, "path": "source_config.resource_spec.volumes.persistentVolumeClaim", "effect": "new-revision", "mutability": "mutable" }],
["nfs", { "name": "nfs", "meta": { "doc": "Kubernetes nfs volume source." }, "required": false, "shape": { "kind": "free" }, "path": "source_config.resource_spec.volumes.nfs", "effect": "new-revision", "mutability": "mutable" }],
["projected", { "name": "projected", "meta": { "doc": "Kubernetes projected volume source." }, "required": false, "shape": { "kind": "free" }, "path": "source_config.resource_spec.volumes.projected", "effect": "new-revision", "mutability": "mutable" }],
["downwardAPI", { "name": "downwardAPI", "meta": { "doc": "Kubernetes downwardAPI volume source." }, "required": false, "shape": { "kind": "free" }, "path": "source_config.resource_spec.volumes.downwardAPI", "effect": "new-revision", "mutability": "mutable" }],
["csi", { "name": "csi", "meta": { "doc": "Kubernetes csi volume source." }, "required": false, "shape": { "kind": "free" }, "path": "source_config.resource_spec.volumes.csi", "effect": "new-revision", "mutability": "mutable" }]]) }, "match": "name" }, "path": "source_config.resource_spec.volumes", "effect": "new-revision", "mutability": "mutable" }],
["volume_mounts", { "name": "volume_mounts", "meta": { "doc": "Volumes mounted into the main container.", "match": "mountPath" }, "required": false, "shape": { "kind": "list", "item": { "kind": "struct", "fields": new Map([["name", { "name": "name", "meta": { "doc": "Name of one of the `volumes`." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.volume_mounts.name", "effect": "new-revision", "mutability": "mutable" }],
["mountPath", { "name": "mountPath", "meta": { "doc": "Path in the container." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.volume_mounts.mountPath", "effect": "new-revision", "mutability": "mutable" }],
["subPath", { "name": "subPath", "meta": { "doc": "Path inside the volume." }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.volume_mounts.subPath", "effect": "new-revision", "mutability": "mutable" }],
["mountPropagation", { "name": "mountPropagation", "meta": { "doc": "How mounts are propagated between host and container." }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.volume_mounts.mountPropagation", "effect": "new-revision", "mutability": "mutable" }],
["readOnly", { "name": "readOnly", "meta": { "doc": "Read-only when true." }, "required": false, "shape": { "kind": "scalar", "type": "boolean" }, "path": "source_config.resource_spec.volume_mounts.readOnly", "effect": "new-revision", "mutability": "mutable" }],
["subPathExpr", { "name": "subPathExpr", "meta": { "doc": "Path inside the volume, with environment variables expanded." }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.volume_mounts.subPathExpr", "effect": "new-revision", "mutability": "mutable" }]]) }, "match": "mountPath" }, "path": "source_config.resource_spec.volume_mounts", "effect": "new-revision", "mutability": "mutable" }],
["init_containers", { "name": "init_containers", "meta": { "doc": "Run to completion, in order, before the main container starts." }, "required": false, "shape": { "kind": "list", "item": { "kind": "struct", "fields": new Map([["name", { "name": "name", "meta": { "doc": "DNS label." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.init_containers.name", "effect": "new-revision", "mutability": "mutable" }],
["image", { "name": "image", "meta": { "doc": "Container image." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.init_containers.image", "effect": "new-revision", "mutability": "mutable" }],
["imagePullPolicy", { "name": "imagePullPolicy", "meta": { "doc": "When the image is pulled." }, "required": false, "shape": { "kind": "scalar", "type": "enum", "values": ["Always", "Never", "IfNotPresent"] }, "path": "source_config.resource_spec.init_containers.imagePullPolicy", "effect": "new-revision", "mutability": "mutable" }],
["command", { "name": "command", "meta": { "doc": "Entrypoint; not run in a shell." }, "required": false, "shape": { "kind": "list", "item": { "kind": "scalar", "type": "string" }, "match": undefined }, "path": "source_config.resource_spec.init_containers.command", "effect": "new-revision", "mutability": "mutable" }],
["args", { "name": "args", "meta": { "doc": "Arguments of the entrypoint." }, "required": false, "shape": { "kind": "list", "item": { "kind": "scalar", "type": "string" }, "match": undefined }, "path": "source_config.resource_spec.init_containers.args", "effect": "new-revision", "mutability": "mutable" }],
["workingDir", { "name": "workingDir", "meta": { "doc": "Working directory." }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.init_containers.workingDir", "effect": "new-revision", "mutability": "mutable" }],
["env", { "name": "env", "meta": { "doc": "Environment variables, in order." }, "required": false, "shape": { "kind": "list", "item": { "kind": "struct", "fields": new Map([["name", { "name": "name", "meta": { "doc": "Name of the environment variable, a C identifier." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.init_containers.env.name", "effect": "new-revision", "mutability": "mutable" }],
["value", { "name": "value", "meta": { "doc": "Its value.", "default": { "value": "" }, "sensitive": "value" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.init_containers.env.value", "effect": "new-revision", "mutability": "mutable" }],
["valueFrom", { "name": "valueFrom", "meta": { "doc": "Where the value comes from; not together with a non-empty `value`." }, "required": false, "shape": { "kind": "free" }, "path": "source_config.resource_spec.init_containers.env.valueFrom", "effect": "new-revision", "mutability": "mutable" }]]) }, "match": undefined }, "path": "source_config.resource_spec.init_containers.env", "effect": "new-revision", "mutability": "mutable" }],
["envFrom", { "name": "envFrom", "meta": { "doc": "Sources of environment variables, in order." }, "required": false, "shape": { "kind": "list", "item": { "kind": "free" }, "match": undefined }, "path": "source_config.resource_spec.init_containers.envFrom", "effect": "new-revision", "mutability": "mutable" }],
["resources", { "name": "resources", "meta": { "doc": "Compute resources." }, "required": false, "shape": { "kind": "struct", "fields": new Map([["limits", { "name": "limits", "meta": { "doc": "Most the container may use, such as `{cpu: \"1\", memory: 512Mi}`." }, "required": false, "shape": { "kind": "map" }, "path": "source_config.resource_spec.init_containers.resources.limits", "effect": "new-revision", "mutability": "mutable" }],
["requests", { "name": "requests", "meta": { "doc": "What the container asks for." }, "required": false, "shape": { "kind": "map" }, "path": "source_config.resource_spec.init_containers.resources.requests", "effect": "new-revision", "mutability": "mutable" }]]) }, "path": "source_config.resource_spec.init_containers.resources", "effect": "new-revision", "mutability": "mutable" }],
["volumeMounts", { "name": "volumeMounts", "meta": { "doc": "Volumes mounted into the container.", "match": "mountPath" }, "required": false, "shape": { "kind": "list", "item": { "kind": "struct", "fields": new Map([["name", { "name": "name", "meta": { "doc": "Name of one of the `volumes`." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.init_containers.volumeMounts.name", "effect": "new-revision", "mutability": "mutable" }],
["mountPath", { "name": "mountPath", "meta": { "doc": "Path in the container." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.init_containers.volumeMounts.mountPath", "effect": "new-revision", "mutability": "mutable" }],
["subPath", { "name": "subPath", "meta": { "doc": "Path inside the volume." }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.init_containers.volumeMounts.subPath", "effect": "new-revision", "mutability": "mutable" }],
["mountPropagation", { "name": "mountPropagation", "meta": { "doc": "How mounts are propagated between host and container." }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.init_containers.volumeMounts.mountPropagation", "effect": "new-revision", "mutability": "mutable" }],
["readOnly", { "name": "readOnly", "meta": { "doc": "Read-only when true." }, "required": false, "shape": { "kind": "scalar", "type": "boolean" }, "path": "source_config.resource_spec.init_containers.volumeMounts.readOnly", "effect": "new-revision", "mutability": "mutable" }],
["subPathExpr", { "name": "subPathExpr", "meta": { "doc": "Path inside the volume, with environment variables expanded." }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.init_containers.volumeMounts.subPathExpr", "effect": "new-revision", "mutability": "mutable" }]]) }, "match": "mountPath" }, "path": "source_config.resource_spec.init_containers.volumeMounts", "effect": "new-revision", "mutability": "mutable" }],
["securityContext", { "name": "securityContext", "meta": { "doc": "Kubernetes security context." }, "required": false, "shape": { "kind": "free" }, "path": "source_config.resource_spec.init_containers.securityContext", "effect": "new-revision", "mutability": "mutable" }],
["restartPolicy", { "name": "restartPolicy", "meta": { "doc": "For sidecars." }, "required": false, "shape": { "kind": "scalar", "type": "enum", "values": ["Always", "OnFailure"] }, "path": "source_config.resource_spec.init_containers.restartPolicy", "effect": "new-revision", "mutability": "mutable" }]]) }, "match": undefined }, "path": "source_config.resource_spec.init_containers", "effect": "new-revision", "mutability": "mutable" }],
["sidecars", { "name": "sidecars", "meta": { "doc": "Run alongside the main container.", "match": "name" }, "required": false, "shape": { "kind": "list", "item": { "kind": "struct", "fields": new Map([["name", { "name": "name", "meta": { "doc": "DNS label." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.sidecars.name", "effect": "new-revision", "mutability": "mutable" }],
["image", { "name": "image", "meta": { "doc": "Container image." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.sidecars.image", "effect": "new-revision", "mutability": "mutable" }],
["imagePullPolicy", { "name": "imagePullPolicy", "meta": { "doc": "When the image is pulled." }, "required": false, "shape": { "kind": "scalar", "type": "enum", "values": ["Always", "Never", "IfNotPresent"] }, "path": "source_config.resource_spec.sidecars.imagePullPolicy", "effect": "new-revision", "mutability": "mutable" }],
["command", { "name": "command", "meta": { "doc": "Entrypoint; not run in a shell." }, "required": false, "shape": { "kind": "list", "item": { "kind": "scalar", "type": "string" }, "match": undefined }, "path": "source_config.resource_spec.sidecars.command", "effect": "new-revision", "mutability": "mutable" }],
["args", { "name": "args", "meta": { "doc": "Arguments of the entrypoint." }, "required": false, "shape": { "kind": "list", "item": { "kind": "scalar", "type": "string" }, "match": undefined }, "path": "source_config.resource_spec.sidecars.args", "effect": "new-revision", "mutability": "mutable" }],
["workingDir", { "name": "workingDir", "meta": { "doc": "Working directory." }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.sidecars.workingDir", "effect": "new-revision", "mutability": "mutable" }],
["env", { "name": "env", "meta": { "doc": "Environment variables, in order." }, "required": false, "shape": { "kind": "list", "item": { "kind": "struct", "fields": new Map([["name", { "name": "name", "meta": { "doc": "Name of the environment variable, a C identifier." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.sidecars.env.name", "effect": "new-revision", "mutability": "mutable" }],
["value", { "name": "value", "meta": { "doc": "Its value.", "default": { "value": "" }, "sensitive": "value" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.sidecars.env.value", "effect": "new-revision", "mutability": "mutable" }],
["valueFrom", { "name": "valueFrom", "meta": { "doc": "Where the value comes from; not together with a non-empty `value`." }, "required": false, "shape": { "kind": "free" }, "path": "source_config.resource_spec.sidecars.env.valueFrom", "effect": "new-revision", "mutability": "mutable" }]]) }, "match": undefined }, "path": "source_config.resource_spec.sidecars.env", "effect": "new-revision", "mutability": "mutable" }],
["envFrom", { "name": "envFrom", "meta": { "doc": "Sources of environment variables, in order." }, "required": false, "shape": { "kind": "list", "item": { "kind": "free" }, "match": undefined }, "path": "source_config.resource_spec.sidecars.envFrom", "effect": "new-revision", "mutability": "mutable" }],
["resources", { "name": "resources", "meta": { "doc": "Compute resources." }, "required": false, "shape": { "kind": "struct", "fields": new Map([["limits", { "name": "limits", "meta": { "doc": "Most the container may use, such as `{cpu: \"1\", memory: 512Mi}`." }, "required": false, "shape": { "kind": "map" }, "path": "source_config.resource_spec.sidecars.resources.limits", "effect": "new-revision", "mutability": "mutable" }],
["requests", { "name": "requests", "meta": { "doc": "What the container asks for." }, "required": false, "shape": { "kind": "map" }, "path": "source_config.resource_spec.sidecars.resources.requests", "effect": "new-revision", "mutability": "mutable" }]]) }, "path": "source_config.resource_spec.sidecars.resources", "effect": "new-revision", "mutability": "mutable" }],
["volumeMounts", { "name": "volumeMounts", "meta": { "doc": "Volumes mounted into the container.", "match": "mountPath" }, "required": false, "shape": { "kind": "list", "item": { "kind": "struct", "fields": new Map([["name", { "name": "name", "meta": { "doc": "Name of one of the `volumes`." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.sidecars.volumeMounts.name", "effect": "new-revision", "mutability": "mutable" }],
["mountPath", { "name": "mountPath", "meta": { "doc": "Path in the container." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.sidecars.volumeMounts.mountPath", "effect": "new-revision", "mutability": "mutable" }],
["subPath", { "name": "subPath", "meta": { "doc": "Path inside the volume." }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.sidecars.volumeMounts.subPath", "effect": "new-revision", "mutability": "mutable" }],
["mountPropagation", { "name": "mountPropagation", "meta": { "doc": "How mounts are propagated between host and container." }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.sidecars.volumeMounts.mountPropagation", "effect": "new-revision", "mutability": "mutable" }],
["readOnly", { "name": "readOnly", "meta": { "doc": "Read-only when true." }, "required": false, "shape": { "kind": "scalar", "type": "boolean" }, "path": "source_config.resource_spec.sidecars.volumeMounts.readOnly", "effect": "new-revision", "mutability": "mutable" }],
["subPathExpr", { "name": "subPathExpr", "meta": { "doc": "Path inside the volume, with environment variables expanded." }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.resource_spec.sidecars.volumeMounts.subPathExpr", "effect": "new-revision", "mutability": "mutable" }]]) }, "match": "mountPath" }, "path": "source_config.resource_spec.sidecars.volumeMounts", "effect": "new-revision", "mutability": "mutable" }],
["securityContext", { "name": "securityContext", "meta": { "doc": "Kubernetes security context." }, "required": false, "shape": { "kind": "free" }, "path": "source_config.resource_spec.sidecars.securityContext", "effect": "new-revision", "mutability": "mutable" }],
["restartPolicy", { "name": "restartPolicy", "meta": { "doc": "For sidecars." }, "required": false, "shape": { "kind": "scalar", "type": "enum", "values": ["Always", "OnFailure"] }, "path": "source_config.resource_spec.sidecars.restartPolicy", "effect": "new-revision", "mutability": "mutable" }]]) }, "match": "name" }, "path": "source_config.resource_spec.sidecars", "effect": "new-revision", "mutability": "mutable" }],
["db_cpu", { "name": "db_cpu", "meta": { "doc": "CPU request of the relational database." }, "required": false, "shape": { "kind": "scalar", "type": "number" }, "path": "source_config.resource_spec.db_cpu", "effect": "new-revision", "mutability": "mutable" }],
["db_cpu_limit", { "name": "db_cpu_limit", "meta": { "doc": "CPU limit of the relational database.", "default": { "of": "db_cpu", "times": 2 } }, "required": false, "shape": { "kind": "scalar", "type": "number" }, "path": "source_config.resource_spec.db_cpu_limit", "effect": "new-revision", "mutability": "mutable" }],
["db_memory_mb", { "name": "db_memory_mb", "meta": { "doc": "Memory request of the database, MB." }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.db_memory_mb", "effect": "new-revision", "mutability": "mutable" }],
["db_memory_limit_mb", { "name": "db_memory_limit_mb", "meta": { "doc": "Memory limit of the database, MB.", "default": { "of": "db_memory_mb", "times": 2 } }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.db_memory_limit_mb", "effect": "new-revision", "mutability": "mutable" }],
["db_storage_gi", { "name": "db_storage_gi", "meta": { "doc": "Storage of the database, GiB." }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.db_storage_gi", "effect": "new-revision", "mutability": "mutable" }],
["db_max_connections", { "name": "db_max_connections", "meta": { "doc": "Most database connections." }, "required": false, "shape": { "kind": "scalar", "type": "integer" }, "path": "source_config.resource_spec.db_max_connections", "effect": "new-revision", "mutability": "mutable" }]]) }, "path": "source_config.resource_spec", "effect": "new-revision", "mutability": "mutable" }],
["listener_id", { "name": "listener_id", "meta": { "doc": "Listener used; absent on create: the only one there is.", "only": "external_container", "mutability": "create-only", "readback": "sometimes" }, "required": false, "shape": { "kind": "scalar", "type": "uuid" }, "path": "source_config.listener_id", "effect": undefined, "mutability": "create-only" }],
["listener_config", { "name": "listener_config", "meta": { "doc": "Configuration by the listener's compute type.", "only": "external_container", "mutability": "create-only", "readback": "never" }, "required": false, "shape": { "kind": "struct", "fields": new Map([["k8s_namespace", { "name": "k8s_namespace", "meta": { "doc": "Namespace the deployment runs in; for listeners with compute type `k8s`.", "only": "external_container", "mutability": "create-only", "readback": "never" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.listener_config.k8s_namespace", "effect": undefined, "mutability": "create-only" }]]) }, "path": "source_config.listener_config", "effect": undefined, "mutability": "create-only" }],
["install_command", { "name": "install_command", "meta": { "doc": "JavaScript deployments: install command, run from the repository root.", "effect": "next-build", "readback": "sometimes" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.install_command", "effect": "next-build", "mutability": "mutable" }],
["build_command", { "name": "build_command", "meta": { "doc": "JavaScript deployments: build command, run from the directory of the graph configuration file.", "effect": "next-build", "readback": "sometimes" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_config.build_command", "effect": "next-build", "mutability": "mutable" }]]) }, "path": "source_config", "effect": undefined, "mutability": "mutable" }],
["source_revision_config", { "name": "source_revision_config", "meta": { "doc": "What a revision is built from; values of the latest revision." }, "required": false, "shape": { "kind": "struct", "fields": new Map([["repo_ref", { "name": "repo_ref", "meta": { "doc": "Branch (just its name), or a tag as a full path starting with `refs/tags/`.", "only": "repohost", "effect": "new-revision", "readback": "sometimes" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_revision_config.repo_ref", "effect": "new-revision", "mutability": "mutable" }],
["graph_config_path", { "name": "graph_config_path", "meta": { "doc": "Path of the graph configuration file in the repository.", "only": "repohost", "effect": "new-revision", "readback": "sometimes" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_revision_config.graph_config_path", "effect": "new-revision", "mutability": "mutable" }],
["image_uri", { "name": "image_uri", "meta": { "doc": "Container image; give a digest, since an unchanged tag is not redeployed.", "only": "external_container", "effect": "new-revision", "sensitive": "user-info", "readback": "sometimes" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_revision_config.image_uri", "effect": "new-revision", "mutability": "mutable" }],
["source_tarball_path", { "name": "source_tarball_path", "meta": { "doc": "Uploaded source tarball, written by the vendor's command line.", "only": "internal_source", "mutability": "read-only", "hosted": "only" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_revision_config.source_tarball_path", "effect": undefined, "mutability": "read-only" }],
["repo_commit_sha", { "name": "repo_commit_sha", "meta": { "doc": "Commit that was built.", "only": "repohost", "mutability": "read-only" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "source_revision_config.repo_commit_sha", "effect": undefined, "mutability": "read-only" }]]) }, "path": "source_revision_config", "effect": undefined, "mutability": "mutable" }],
["secrets", { "name": "secrets", "meta": { "doc": "Environment variables of the container; replaced whole by the service.", "effect": "new-revision", "match": "name" }, "required": false, "shape": { "kind": "list", "item": { "kind": "struct", "fields": new Map([["name", { "name": "name", "meta": { "doc": "Name of the environment variable." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "secrets.name", "effect": "new-revision", "mutability": "mutable" }],
["value", { "name": "value", "meta": { "doc": "Its value.", "sensitive": "value" }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "secrets.value", "effect": "new-revision", "mutability": "mutable" }]]) }, "match": "name" }, "path": "secrets", "effect": "new-revision", "mutability": "mutable" }],
["secret_references", { "name": "secret_references", "meta": { "doc": "References to Kubernetes Secrets.", "only": "external_container", "effect": "in-place", "match": "name", "hosted": "only", "readback": "sometimes" }, "required": false, "shape": { "kind": "list", "item": { "kind": "struct", "fields": new Map([["name", { "name": "name", "meta": { "doc": "Name of the environment variable." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "secret_references.name", "effect": "in-place", "mutability": "mutable" }],
["secret_name", { "name": "secret_name", "meta": { "doc": "Kubernetes Secret in the namespace of the deployment." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "secret_references.secret_name", "effect": "in-place", "mutability": "mutable" }],
["secret_key", { "name": "secret_key", "meta": { "doc": "Key within that Secret." }, "required": true, "shape": { "kind": "scalar", "type": "string" }, "path": "secret_references.secret_key", "effect": "in-place", "mutability": "mutable" }]]) }, "match": "name" }, "path": "secret_references", "effect": "in-place", "mutability": "mutable" }],
["id", { "name": "id", "meta": { "doc": "Id of the deployment.", "mutability": "read-only" }, "required": false, "shape": { "kind": "scalar", "type": "uuid" }, "path": "id", "effect": undefined, "mutability": "read-only" }],
["tenant_id", { "name": "tenant_id", "meta": { "doc": "Tenant that owns it.", "mutability": "read-only", "hosted": "only" }, "required": false, "shape": { "kind": "scalar", "type": "uuid" }, "path": "tenant_id", "effect": undefined, "mutability": "read-only" }],
["created_at", { "name": "created_at", "meta": { "doc": "When it was created.", "mutability": "read-only" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "created_at", "effect": undefined, "mutability": "read-only" }],
["updated_at", { "name": "updated_at", "meta": { "doc": "When it was last updated.", "mutability": "read-only" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "updated_at", "effect": undefined, "mutability": "read-only" }],
["status", { "name": "status", "meta": { "doc": "AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN.", "mutability": "read-only" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "status", "effect": undefined, "mutability": "read-only" }],
["latest_revision_id", { "name": "latest_revision_id", "meta": { "doc": "The newest revision.", "mutability": "read-only" }, "required": false, "shape": { "kind": "scalar", "type": "uuid" }, "path": "latest_revision_id", "effect": undefined, "mutability": "read-only" }],
["active_revision_id", { "name": "active_revision_id", "meta": { "doc": "The revision that is deployed now.", "mutability": "read-only" }, "required": false, "shape": { "kind": "scalar", "type": "uuid" }, "path": "active_revision_id", "effect": undefined, "mutability": "read-only" }],
["image_version", { "name": "image_version", "meta": { "doc": "Image version of the deployment.", "mutability": "read-only" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "image_version", "effect": undefined, "mutability": "read-only" }],
["url", { "name": "url", "meta": { "doc": "Address of the deployment.", "mutability": "read-only", "hosted": "only" }, "required": false, "shape": { "kind": "scalar", "type": "string" }, "path": "url", "effect": undefined, "mutability": "read-only" }]]) };

;// CONCATENATED MODULE: ./build/model/shape.js


function allFields(shape = deploymentShape) {
    if (shape.kind === "list")
        return allFields(shape.item);
    if (shape.kind !== "struct")
        return [];
    return [...shape.fields.values()].flatMap((row) => [row, ...allFields(row.shape)]);
}
function fieldAt(path) {
    let shape = deploymentShape;
    let found;
    for (const key of path) {
        if (shape.kind === "list" && typeof key === "number")
            shape = shape.item;
        else if (shape.kind === "struct") {
            found = shape.fields.get(String(key));
            if (found === undefined)
                return undefined;
            shape = found.shape;
        }
        else
            return undefined;
    }
    return found;
}


/***/ })

};
;