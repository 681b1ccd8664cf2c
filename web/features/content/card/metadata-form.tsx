import { Alert, Anchor, Button, Group, List, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { ApiProblem } from '../../../../shared/client.ts'
import { pageAfter, targetOf, useCommitChoice } from '../../../lib/commit-ways.ts'
import { problemText } from '../../../lib/form-errors.ts'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { useUnsaved } from '../../../lib/unsaved.ts'
import { CodeView } from '../../../ui/code/code-view.tsx'
import { CommitTarget } from '../../../ui/commit-target.tsx'
import uiClasses from '../../../ui/ui.module.css'
import { useCommitText, type TextBefore } from '../queries.ts'
import { FieldInput } from './field-input.tsx'
import { fieldsOf } from './fields.ts'
import { fieldOf, joinCard, readMatter, splitCard, withField, type Matter } from './front-matter.ts'
import { cardCheckQuery } from './queries.ts'

interface MetadataFormProps {
  rev: string
  path: string
  /** The card as it is; left out for one to be. */
  before: TextBefore | undefined
}

/** Edits fields of the metadata, shows the YAML that becomes of it and what is wrong with it, and commits or proposes it. */
export function MetadataForm({ rev, path, before }: MetadataFormProps) {
  const { repo, address } = useRepo()
  const [matter, setMatter] = useState<Matter>(() => cardOf(before?.text ?? `# ${repo.name}\n`))
  const [title, setTitle] = useState('')
  const choice = useCommitChoice(rev)
  const commit = useCommitText(address, rev, before)
  const navigate = useNavigate()
  const text = joinCard(matter)
  const isChanged = before ? text !== before.text : matter.yaml !== ''
  const markSaved = useUnsaved(isChanged || title !== '')
  const check = useCardCheck(repo.type, matter)
  const usual = before ? 'Update the metadata of the card' : 'Add a card with metadata'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    commit.mutate(
      { path, text, target: targetOf(rev, choice), title: title || usual },
      {
        onSuccess: ({ pull_request: opened }) => {
          markSaved()
          void navigate(pageAfter(repo, rev, opened?.num, pages.repo(repo)))
        },
      },
    )
  }
  const read = readMatter(matter.yaml)
  return (
    <form onSubmit={submit}>
      <Stack gap="md" maw={760}>
        <div>
          <Title order={2}>Metadata of the card</Title>
          <Text size="sm" c="dimmed">
            Lists and searches find the {repo.type} by it. All else of README.md stays as it is.
          </Text>
        </div>
        {'fault' in read
          ? null
          : fieldsOf(repo).map((field) => (
              <FieldInput
                key={field.key}
                field={field}
                value={fieldOf(read, field.key)}
                onChange={(value) =>
                  setMatter((old) => ({ ...old, yaml: withField(old.yaml, field.key, value) }))
                }
              />
            ))}
        <Verdict check={check} />
        <div className={uiClasses['frame']}>
          <div className={uiClasses['frameHead']}>
            <Text size="sm">As it is written</Text>
            <Anchor size="sm" component={Link} to={pages.editFile(repo, rev, path)} underline="always">
              Edit the text
            </Anchor>
          </div>
          <CodeView text={matter.yaml} language="yaml" label="The metadata as YAML" />
        </div>
        {commit.isError && (
          <Alert color="danger">
            {commit.error instanceof ApiProblem && commit.error.code === 'commit-conflict'
              ? 'Somebody else has changed this card meanwhile. Nothing was committed. Load the page again.'
              : problemText(commit.error)}
          </Alert>
        )}
        <TextInput
          label="Commit title"
          placeholder={usual}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <CommitTarget rev={rev} choice={choice} />
        <Group>
          <Button
            type="submit"
            loading={commit.isPending}
            disabled={!isChanged || (check?.errors.length ?? 0) > 0}
          >
            {choice.way === 'pull_request' ? 'Open a pull request' : `Commit to ${rev}`}
          </Button>
          <Button variant="default" component={Link} to={pages.repo(repo)}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function cardOf(text: string): Matter {
  const matter = splitCard(text)
  if (!matter) throw new Error('the page shows no form for such a card')
  return matter
}

/** What the server says of the metadata, asked once typing pauses. */
function useCardCheck(type: 'model' | 'dataset', { before, yaml }: Matter) {
  const [asked] = useDebouncedValue(
    `${before}${yaml}${yaml === '' || yaml.endsWith('\n') ? '' : '\n'}---\n`,
    400,
  )
  return useQuery(cardCheckQuery(type, asked)).data
}

function Verdict({ check }: { check: ReturnType<typeof useCardCheck> }) {
  const messages = (of: { message: string }[]) => of.map(({ message }) => message)
  const errors = messages(check?.errors ?? [])
  const warnings = messages(check?.warnings ?? [])
  return (
    <div aria-live="polite">
      {errors.length > 0 && (
        <Alert color="danger" title="Hub clients refuse this metadata">
          <Messages messages={errors} />
        </Alert>
      )}
      {errors.length === 0 && warnings.length > 0 && (
        <Alert color="caution" title="Worth a look">
          <Messages messages={warnings} />
        </Alert>
      )}
    </div>
  )
}

const Messages = ({ messages }: { messages: string[] }) => (
  <List size="sm">
    {messages.map((message) => (
      <List.Item key={message}>{message}</List.Item>
    ))}
  </List>
)
