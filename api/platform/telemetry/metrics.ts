/** What an instrument measures. Labels are closed sets, so that their number stays bounded whatever callers send. */
interface Metric {
  kind: 'counter' | 'total' | 'histogram' | 'gauge'
  /** UCUM, as OpenTelemetry asks for. */
  unit: string
  text: string
  /** Every label with all its values; a counter begins at 0 for each, so that the first rise is seen. */
  labels?: Record<string, readonly string[]>
}

const blobKinds = ['missing', 'exists', 'transient', 'permanent', 'corrupt', 'full', 'other'] as const
/** What requests ask for; each class has a limit of its own (reliability.md §14). */
export const requestClasses = ['api', 'resolver', 'upload', 'git', 'viewer', 'page'] as const
export type RequestClass = (typeof requestClasses)[number]

/** Every metric of the server (reliability.md §15). Dashboards and alert rules use no others. */
const metrics = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    text: 'From the head of a request to the last byte of its answer, by method, route and status.',
  },
  'arsenal.requests.active': {
    kind: 'gauge',
    unit: '{request}',
    text: 'Requests that are being answered, by class.',
    labels: { class: requestClasses },
  },
  'arsenal.requests.waiting': {
    kind: 'gauge',
    unit: '{request}',
    text: 'Requests that wait for a place in their class.',
    labels: { class: requestClasses },
  },
  'arsenal.requests.refused': {
    kind: 'counter',
    unit: '{request}',
    text: 'Requests refused with 503 because too many of their class wait, or waited for too long.',
    labels: { class: requestClasses },
  },
  'arsenal.transfer.bytes': {
    // Added up here and read when metrics are collected: it rises with every request.
    kind: 'total',
    unit: 'By',
    text: 'Bytes of HTTP connections.',
    labels: { direction: ['received', 'sent'] },
  },
  'arsenal.blob.operation.duration': {
    kind: 'histogram',
    unit: 's',
    text: 'Calls of the blob store, by operation and outcome.',
  },
  'arsenal.blob.errors': {
    kind: 'counter',
    unit: '{error}',
    text: 'Calls of the blob store that failed.',
    labels: { kind: blobKinds },
  },
  'arsenal.db.operation.duration': {
    kind: 'histogram',
    unit: 's',
    text: 'Transactions of the database with the wait for their turn, by operation and outcome.',
  },
  'arsenal.git.duration': {
    kind: 'histogram',
    unit: 's',
    text: 'Git processes, by command and outcome.',
  },
  'arsenal.job.duration': { kind: 'histogram', unit: 's', text: 'Runs of jobs, by kind and outcome.' },
  'arsenal.jobs.queued': { kind: 'gauge', unit: '{job}', text: 'Jobs that are due and wait for a worker.' },
  'arsenal.jobs.running': { kind: 'gauge', unit: '{job}', text: 'Jobs that a worker has.' },
  'arsenal.jobs.age': { kind: 'gauge', unit: 's', text: 'How long the oldest due job has waited.' },
  'arsenal.jobs.failed': {
    kind: 'gauge',
    unit: '{job}',
    text: 'Jobs that failed for good within a day.',
  },
  'arsenal.jobs.lease_lost': { kind: 'counter', unit: '{job}', text: 'Jobs whose worker fell silent.' },
  'arsenal.gc.marked': { kind: 'counter', unit: '{object}', text: 'Objects that gc found unused.' },
  'arsenal.gc.deleted': { kind: 'counter', unit: '{object}', text: 'Objects that gc deleted.' },
  'arsenal.gc.aborted': {
    kind: 'counter',
    unit: '{run}',
    text: 'Runs of gc that failed or refused to go on.',
  },
  'arsenal.scrub.corrupt': {
    kind: 'gauge',
    unit: '{object}',
    text: 'Large files whose stored bytes are known to be damaged.',
  },
  'arsenal.auth.failures': {
    kind: 'counter',
    unit: '{attempt}',
    text: 'Credentials that were refused.',
    labels: { reason: ['credentials', 'expired', 'sign-in'] },
  },
  'arsenal.ssrf.blocked': {
    kind: 'counter',
    unit: '{request}',
    text: 'Outgoing requests refused because their address is not allowed.',
  },
  'arsenal.webhook.deliveries': {
    kind: 'counter',
    unit: '{delivery}',
    text: 'Attempts to deliver webhooks.',
    labels: { outcome: ['succeeded', 'retrying', 'failed'] },
  },
  'arsenal.store.free_bytes': {
    kind: 'gauge',
    unit: 'By',
    text: 'Free bytes of the disk beneath the blob store, where it has one.',
  },
  'arsenal.store.total_bytes': {
    kind: 'gauge',
    unit: 'By',
    text: 'Size of the disk beneath the blob store, where it has one.',
  },
  'arsenal.store.used_bytes': {
    kind: 'gauge',
    unit: 'By',
    text: 'What the blob store holds, by kind, as the database counts it.',
  },
  'arsenal.clock.skew': {
    kind: 'gauge',
    unit: 's',
    text: 'How far the clock of this process is from those of its Postgres and its bucket.',
  },
  'nodejs.eventloop.delay.p99': {
    kind: 'gauge',
    unit: 's',
    text: 'How late timers of this process run, since the last look.',
  },
  'nodejs.heap.used': { kind: 'gauge', unit: 'By', text: 'Heap of JavaScript in use.' },
  'process.memory.usage': { kind: 'gauge', unit: 'By', text: 'Resident memory of the process.' },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof metrics
type OfKind<K extends Metric['kind']> = {
  [Name in MetricName]: (typeof metrics)[Name]['kind'] extends K ? Name : never
}[MetricName]
export type CounterName = OfKind<'counter'>
export type TotalName = OfKind<'total'>
export type GaugeName = OfKind<'gauge'>
export type HistogramName = OfKind<'histogram'>

/** The labels of a counter. */
export type LabelsOf<Name extends CounterName> = (typeof metrics)[Name] extends { labels: infer L }
  ? { [Label in keyof L]: L[Label] extends readonly (infer Value)[] ? Value : never }
  : Record<never, never>

export const metricNames = Object.keys(metrics) as MetricName[]
export const metricOf = (name: MetricName): Metric => metrics[name]
