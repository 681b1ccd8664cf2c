import { Badge, Stack, Table, Text } from '@mantine/core'
import frame from '../../ui/ui.module.css'
import classes from './docs.module.css'
import type { ApiOperation, Schema } from './queries.ts'
import { SchemaView, TypeText } from './schema-view.tsx'

const colors: Record<string, string> = {
  get: 'pending',
  post: 'safe',
  put: 'caution',
  patch: 'caution',
  delete: 'danger',
}

interface OperationViewProps {
  method: string
  path: string
  operation: ApiOperation
}

/** One operation: where, what goes in, what comes out. */
export function OperationView({ method, path, operation }: OperationViewProps) {
  const body = firstSchema(operation.requestBody?.content)
  return (
    <details className={`${frame['raised']} ${classes['operation']}`} id={operation.operationId}>
      <summary>
        <Badge size="sm" variant="light" color={colors[method] ?? 'gray'} w={64} mr={8}>
          {method}
        </Badge>
        <code className={classes['path']}>{path}</code>
        <Text span size="xs" c="dimmed" ml={8}>
          {operation.operationId}
        </Text>
      </summary>
      <Stack gap="sm" p="sm">
        {(operation.summary ?? operation.description) && (
          <Text size="sm">{operation.summary ?? operation.description}</Text>
        )}
        {operation.security?.length === 0 && <Text size="sm">Needs no credentials.</Text>}
        {operation.parameters && operation.parameters.length > 0 && (
          <Parameters list={operation.parameters} />
        )}
        {body && (
          <div>
            <Text size="sm" fw={600}>
              Body
            </Text>
            <SchemaView schema={body} />
          </div>
        )}
        <Answers operation={operation} />
      </Stack>
    </details>
  )
}

function firstSchema(content: Record<string, { schema?: Schema }> | undefined): Schema | undefined {
  return Object.values(content ?? {})[0]?.schema
}

function Parameters({ list }: { list: NonNullable<ApiOperation['parameters']> }) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Parameter</Table.Th>
          <Table.Th>In</Table.Th>
          <Table.Th>Type</Table.Th>
          <Table.Th>Meaning</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {list.map((parameter) => (
          <Table.Tr key={`${parameter.in}.${parameter.name}`}>
            <Table.Td ff="monospace">
              {parameter.name}
              {!parameter.required && '?'}
            </Table.Td>
            <Table.Td>{parameter.in}</Table.Td>
            <Table.Td>
              <TypeText schema={parameter.schema} />
            </Table.Td>
            <Table.Td>{parameter.description ?? parameter.schema.description}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Answers({ operation }: { operation: ApiOperation }) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={90}>Status</Table.Th>
          <Table.Th>Answer</Table.Th>
          <Table.Th>Type</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {Object.entries(operation.responses).map(([status, response]) => {
          const schema = firstSchema(response.content)
          return (
            <Table.Tr key={status}>
              <Table.Td ff="monospace">{status}</Table.Td>
              <Table.Td>{response.description}</Table.Td>
              <Table.Td>{schema && <TypeText schema={schema} />}</Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
