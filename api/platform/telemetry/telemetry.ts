import type { ServerResponse } from 'node:http'
import type { GaugeName } from './metrics.ts'

/** What the process does that is worth a span; each name is one of few, so that it can name a metric. */
export type OperationName =
  | `db.${string}`
  | `blob.${string}`
  | `git.${string}`
  | `job.${string}`
  | `lfs.${'batch'}`
  | `upload.${'plan' | 'part' | 'complete'}`
  | `xet.${'xorb' | 'shard'}`
  | `viewer.${'query'}`
  | 'commit'

/** A call that the process observes: one span and one measured duration each. */
export interface Operation {
  name: OperationName
  /** What it is about, such as a blob key; for spans and logs only. */
  subject?: string
  /** Its duration depends on the sender of the bytes, so a long one says nothing about us. */
  waitsForSender?: boolean
  /** The `traceparent` of what caused it, where that is not the work under way: a job goes on with its request's trace. */
  parent?: string | undefined
}

/** An operation that has begun. */
export interface Begun {
  /** Runs `act` as a part of it. */
  within<T>(act: () => T): T
  /** For processes that are part of it. */
  readonly traceparent: string | undefined
  /** Ends it, with the error if it failed. Later calls change nothing. */
  end(error?: unknown): void
}

/** A request as it comes in. */
export interface Incoming {
  method: string
  path: string
  requestId: string
  /** When it came in, by `performance.now()`. */
  startedAt: number
  userAgent: string
  /** The caller's `traceparent`, from a trusted proxy alone. */
  parent: string | undefined
  /** What it asks for, where that has a span of its own. */
  operation: OperationName | undefined
  /** What the answer is written to; absent under `app.request()`. */
  outgoing: ServerResponse | undefined
}

/** What is known of a request once it is answered. */
export interface Answered {
  /** The pattern that matched, such as `/api/models/:ns/:name`. */
  route: string
  status: number
}

/** Which trace a request is part of, sampled or not; as log lines name them. */
export interface TraceIds {
  trace_id: string
  span_id: string
}

/** A request that is being answered. */
export interface BegunRequest {
  /** Answers it. */
  within<T>(act: () => T): T
  /** For its log line; its trace is seldom one that is sampled. */
  ids(): TraceIds
  /** Ends it once it is answered, with the error if that failed. Its body may still be sent. */
  end(answered: Answered, error?: unknown): void
}

/** A value with the labels it has. */
export interface Reading {
  value: number
  labels?: Record<string, string>
}

/**
 * Where the process reports what it does. The decorators `observedDb` and `observedStore` call it, the frame of all
 * requests, the runner of jobs and the runner of git; what exports spans and metrics is behind this interface, so that no
 * room knows its vendor.
 */
export interface Telemetry {
  /** Runs `act` as this operation; its result and its errors pass through unchanged. */
  observe<T>(operation: Operation, act: () => Promise<T>): Promise<T>
  /** Begins an operation that ends elsewhere. */
  begin(operation: Operation): Begun
  /** Begins a request; `undefined` where nothing is reported. */
  beginRequest(request: Incoming): BegunRequest | undefined
  /** Has a gauge read whenever metrics are collected. A read that fails leaves it out. */
  gauge(name: GaugeName, read: () => Promise<Reading[]> | Reading[]): void
}

const unobserved: Begun = { within: (act) => act(), traceparent: undefined, end: () => undefined }

/** Reports nothing. */
export const noTelemetry: Telemetry = {
  observe: (_, act) => act(),
  begin: () => unobserved,
  beginRequest: () => undefined,
  gauge: () => undefined,
}
