import * as checks from '../checks.ts'
import { text } from '../makers.ts'
import { section, unlessEmpty } from './section.ts'

const exporters = '`otlp` exports only when an OTLP endpoint is set'

export const telemetry = section({
  service_name: text('service').describe('`service.name` resource attribute.'),
  environment: text('').describe('`deployment.environment.name` attribute; empty leaves it unset.'),
  traces: text('otlp', ['otlp', 'console', 'none']).describe(
    `\`otlp\`, \`console\` or \`none\`; ${exporters}. Ignored when \`OTEL_TRACES_EXPORTER\` is set.`,
  ),
  metrics: text('otlp', ['otlp', 'prometheus', 'console', 'none']).describe(
    `\`otlp\`, \`prometheus\`, \`console\` or \`none\`; ${exporters}. Ignored when \`OTEL_METRICS_EXPORTER\` is set.`,
  ),
  logs: text('otlp', ['otlp', 'console', 'none']).describe(
    `\`otlp\`, \`console\` or \`none\`; ${exporters}. Ignored when \`OTEL_LOGS_EXPORTER\` is set. Logs always go to stdout too.`,
  ),
  prometheus_listen: text(':9464')
    .superRefine(unlessEmpty(checks.listenFault))
    .describe('Address of the Prometheus `/metrics` endpoint when metrics is `prometheus`.'),
  log_format: text('json', ['json', 'text']).describe('Format of the log on stdout: `json` or `text`.'),
  log_level: text('info', ['debug', 'info', 'warn', 'error']).describe('`debug`, `info`, `warn` or `error`.'),
})
