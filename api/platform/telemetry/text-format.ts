/** One JSON log line as text for a person: `12:00:01.250 INFO  message  key=value`, then the stack of an error. */
export function textLine(json: string): string {
  const { time, level, msg, err, ...members } = JSON.parse(json) as Record<string, unknown>
  const pairs = Object.entries(members).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const head = [
    String(time).slice(11, 23),
    String(level).toUpperCase().padEnd(5),
    [msg ?? '', ...pairs].join('  '),
  ].join(' ')
  return [head.trimEnd(), ...errorLines(err)].join('\n') + '\n'
}

function errorLines(err: unknown): string[] {
  if (typeof err !== 'object' || err === null) return []
  const { stack, message, cause } = err as Record<string, unknown>
  const own = String(stack ?? message)
    .split('\n')
    .map((line) => `  ${line}`)
  return [...own, ...errorLines(cause).map((line) => `  ${line}`)]
}
