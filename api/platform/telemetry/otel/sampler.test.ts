import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api'
import { SamplingDecision } from '@opentelemetry/sdk-trace-node'
import { expect, test } from 'vitest'
import { samplingOf } from './sampler.ts'

/** Whether the trace of a caller is kept, one that they keep and one that they do not. */
function keepsCallers(env: Record<string, string>): boolean[] {
  const { sampler } = samplingOf(env)
  return [TraceFlags.SAMPLED, TraceFlags.NONE].map((traceFlags) => {
    const above = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), traceFlags, isRemote: true }
    const context = trace.setSpanContext(ROOT_CONTEXT, above)
    const { decision } = sampler.shouldSample(context, above.traceId, 'GET', SpanKind.SERVER, {}, [])
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  })
}
const ratio = (arg: string, name = 'traceidratio') => ({
  OTEL_TRACES_SAMPLER: name,
  OTEL_TRACES_SAMPLER_ARG: arg,
})

test.each([
  [{}, 1, [true, false]],
  [{ OTEL_TRACES_SAMPLER: ' ' }, 1, [true, false]],
  [{ OTEL_TRACES_SAMPLER: 'always_on' }, 1, [true, true]],
  [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0, [false, false]],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, 0, [true, false]],
  [ratio('1'), 1, [true, true]],
  [ratio('0'), 0, [false, false]],
  [ratio('0.25', 'parentbased_traceidratio'), 0.25, [true, false]],
  // What the SDK does not understand it takes for `parentbased_always_on`, or for a ratio of 1.
  [{ OTEL_TRACES_SAMPLER: 'sometimes' }, 1, [true, false]],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio' }, 1, [true, true]],
  [ratio('2'), 1, [true, true]],
  [ratio('half'), 1, [true, true]],
])('%j keeps a share of what begins here, and what callers have begun', (env, share, callers) => {
  expect(samplingOf(env).share).toBe(share)
  expect(keepsCallers(env)).toEqual(callers)
})
