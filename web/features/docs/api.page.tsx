import { Anchor, Badge, Group, NavLink, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CommandLine } from '../../ui/command-line.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageFrame } from '../../ui/page.tsx'
import frame from '../../ui/ui.module.css'
import classes from './docs.module.css'
import { OperationView } from './operation-view.tsx'
import { apiDocumentQuery, type ApiDocument, type ApiOperation } from './queries.ts'
import { SchemaView } from './schema-view.tsx'
import { apiBase } from '../../../shared/client.ts'

/** `/docs/api`: the reference, made from the server's own OpenAPI document. */
export function Component() {
  const query = useQuery(apiDocumentQuery)
  return (
    <PageFrame title="API reference" actions={<Anchor href={`${apiBase}/openapi.json`}>openapi.json</Anchor>}>
      <Loaded query={query}>{(document) => <Reference document={document} />}</Loaded>
    </PageFrame>
  )
}

interface Listed {
  method: string
  path: string
  operation: ApiOperation
}

function byTag(document: ApiDocument, word: string): [tag: string, operations: Listed[]][] {
  const tags = new Map<string, Listed[]>()
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      if (!`${operation.operationId} ${path}`.toLowerCase().includes(word)) continue
      const tag = operation.tags?.[0] ?? 'other'
      tags.set(tag, [...(tags.get(tag) ?? []), { method, path, operation }])
    }
  return [...tags]
}

function Reference({ document }: { document: ApiDocument }) {
  const [word, setWord] = useState('')
  const groups = byTag(document, word.toLowerCase())
  const command = `curl -H "Authorization: Bearer $HF_TOKEN" ${location.origin}${apiBase}/me`
  return (
    <div className={classes['reference']}>
      <nav aria-label="Operations" className={classes['index']}>
        <TextInput
          size="xs"
          type="search"
          aria-label="Filter operations"
          placeholder="Filter"
          value={word}
          onChange={(event) => setWord(event.currentTarget.value)}
        />
        {groups.map(([tag]) => (
          <NavLink key={tag} href={`#${tag}`} label={tag} />
        ))}
        <NavLink href="#schemas" label="schemas" />
      </nav>
      <Stack gap="xl" miw={0}>
        <Stack gap="sm">
          <Text>
            {document.info.description} Version {document.info.version}.
          </Text>
          <CommandLine label="With a token from your settings" command={command} />
        </Stack>
        {groups.map(([tag, operations]) => (
          <section key={tag} id={tag} aria-label={tag}>
            <Title order={2} mb="sm">
              {tag}
            </Title>
            <Stack gap="xs">
              {operations.map((listed) => (
                <OperationView key={listed.operation.operationId} {...listed} />
              ))}
            </Stack>
          </section>
        ))}
        <Schemas document={document} />
      </Stack>
    </div>
  )
}

function Schemas({ document }: { document: ApiDocument }) {
  return (
    <section id="schemas" aria-label="Schemas">
      <Title order={2} mb="sm">
        schemas
      </Title>
      <Stack gap="xs">
        {Object.entries(document.components.schemas).map(([name, schema]) => (
          <details key={name} className={`${frame['raised']} ${classes['operation']}`} id={`schema-${name}`}>
            <summary>
              <Group gap="xs" display="inline-flex">
                <Text ff="monospace" size="sm" fw={600}>
                  {name}
                </Text>
                {schema.enum && <Badge size="xs">enum</Badge>}
              </Group>
            </summary>
            <SchemaView schema={schema} />
          </details>
        ))}
      </Stack>
    </section>
  )
}
