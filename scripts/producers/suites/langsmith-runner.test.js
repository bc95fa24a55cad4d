import { randomUUID } from "node:crypto";
import * as ls from "langsmith/vitest";
import { expect } from "vitest";
import { suite } from "./langsmith-suite.cjs";

suite({ ls, expect, randomUUID });
