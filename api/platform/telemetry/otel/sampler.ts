import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace-node'

/** Which traces are kept. */
export interface Sampling {
  /** Of those that begin here: from 0, none, to 1, all. */
  share: number
  /** For the SDK, which is asked for spans of what is kept and of what a caller has begun. */
  sampler: Sampler
}

/**
 * What `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` ask for. Traces that begin here are kept by chance, before anything is
 * made for them: to make an id and to have the SDK judge it took 2 % of the CPU time of a small request. Those of a caller go by the
 * SDK's sampler. Values that are wrong keep everything; the SDK, which reads them too, complains of those.
 */
export function samplingOf(env: Record<string, string | undefined>): Sampling {
  const { OTEL_TRACES_SAMPLER: name = '', OTEL_TRACES_SAMPLER_ARG: arg = '' } = env
  const [, asParent, root] = /^(parentbased_)?(.*)$/.exec(name.trim()) ?? []
  const ratio = root === 'traceidratio' && arg.trim() !== '' ? Number(arg) : 1
  const share = root === 'always_off' ? 0 : ratio >= 0 && ratio <= 1 ? ratio : 1
  const isKnown = root === 'always_on' || root === 'always_off' || root === 'traceidratio'
  const ofCallers = !asParent && isKnown ? new TraceIdRatioBasedSampler(share) : undefined
  const sampler = new ParentBasedSampler({
    root: new AlwaysOnSampler(),
    ...(ofCallers && { remoteParentSampled: ofCallers, remoteParentNotSampled: ofCallers }),
  })
  return { share, sampler }
}

/** Keeps nothing: spans that go nowhere would still be made, and their work followed. */
export const noSampling: Sampling = { share: 0, sampler: new AlwaysOffSampler() }
