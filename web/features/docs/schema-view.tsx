import { Anchor, Table, Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import type { Schema } from './queries.ts'

/** The fields of an object schema; the type of any other. */
export function SchemaView({ schema }: { schema: Schema }) {
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0)
    return (
      <Text size="sm" p="xs" component="div">
        <TypeText schema={schema} />
      </Text>
    )
  return (
    <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table>
        <Table.Tbody>
          {fields.map(([name, field]) => (
            <Table.Tr key={name}>
              <Table.Td ff="monospace" w={220}>
                {name}
                {!schema.required?.includes(name) && '?'}
              </Table.Td>
              <Table.Td>
                <TypeText schema={field} />
              </Table.Td>
              <Table.Td>{field.description}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** A type in TypeScript's words, named schemas as links. */
export function TypeText({ schema }: { schema: Schema }) {
  return (
    <Text span ff="monospace" size="sm">
      {typeOf(schema)}
    </Text>
  )
}

function typeOf(schema: Schema): ReactNode {
  if (schema.$ref) return <SchemaLink name={schema.$ref.split('/').at(-1) ?? ''} />
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (parts)
    return parts.map((part, i) => (
      <Fragment key={i}>
        {i > 0 && (schema.allOf ? ' & ' : ' | ')}
        {typeOf(part)}
      </Fragment>
    ))
  if (schema.type === 'array') return <>{typeOf(schema.items ?? {})}[]</>
  if (schema.properties) return `{ ${Object.keys(schema.properties).join(', ')} }`
  const word = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'any')
  return schema.format ? `${word} (${schema.format})` : word
}

function SchemaLink({ name }: { name: string }) {
  return (
    <Anchor href={`#schema-${name}`} inherit underline="always">
      {name}
    </Anchor>
  )
}
