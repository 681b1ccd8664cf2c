import { keys, type Key } from './keys.ts'

const preface = `# Configuration

<!-- Printed by \`arsenal config docs\`; edit \`api/platform/config/schema/\` instead. -->

Sources, later ones win: the YAML file (\`--config\` or \`SERVICE_CONFIG\`), environment variables, \`--set key=value\`.
\`npm start\` puts quick-start values under all of them: everything in \`./.arsenal\`, \`http://localhost:8080\`.

The environment variable of a key is its name in capitals, dots as underscores, after \`SERVICE_\`:
\`storage.s3.bucket\` is \`SERVICE_STORAGE_S3_BUCKET\`, \`upstreams.<id>.base_url\` is \`SERVICE_UPSTREAMS_<ID>_BASE_URL\`,
where \`_\` stands for the \`-\` of an id that the file or a flag names.
Lists are separated by commas there and in flags; \`oidc.providers\` is a JSON array.
Sizes are bytes or have a unit (KiB, MiB, GiB, GB); durations have units (90s, 30m, 720h).

\`arsenal config check\` reports every fault at once with its key and source; a server with a faulty configuration exits
with status 2 before it listens. Values of type secret never reach a log.
`

/** The reference of all keys in Markdown, read off the schema. */
export function configDocs(): string {
  const all = keys()
  const sections = [...new Set(all.map((key) => key.path[0]))]
  const tables = sections.map((name) => `## ${name}\n\n${table(all.filter((key) => key.path[0] === name))}\n`)
  return [preface, ...tables].join('\n')
}

function table(members: Key[]): string {
  const rows = members.map(
    (key) => `| \`${key.name}\` | ${typeName(key)} | ${key.shown} | ${key.description} |`,
  )
  return ['| Key | Type | Default | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function typeName({ kind }: Key): string {
  return kind === 'secret' ? 'string (secret)' : kind
}
