import { Alert, Button, NativeSelect, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { leadToFaults, showProblem } from '../../lib/form-errors.ts'
import { pages } from '../../lib/pages.ts'
import type { Me } from '../../lib/types.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { SignedIn } from '../../ui/signed-in.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { upstreamsQuery, useCreatePull, type PullCreate } from './queries.ts'

/** `/discover`: brings a repo of another hub here. */
export function Component() {
  const upstreams = useQuery(upstreamsQuery)
  return (
    <SignedIn>
      {(me) => (
        <PageFrame title="Pull a repo from another hub" width={640}>
          <Loaded query={upstreams}>
            {({ items }) =>
              items.length === 0 ? (
                <EmptyState title="No upstream is enabled. An admin can add one." />
              ) : (
                <PullForm me={me} upstreams={items} />
              )
            }
          </Loaded>
        </PageFrame>
      )}
    </SignedIn>
  )
}

/** The place where a mirror keeps the upstream's name. */
const UPSTREAM_NAME = ''

type Values = {
  upstream: string
  type: 'model' | 'dataset'
  repo: string
  revision: string
  /** Which large files: all, none, or those of `globs`. */
  wanted: 'all' | 'some' | 'none'
  globs: string
  target_ns: string
}

function selectionOf({ wanted, globs }: Values): NonNullable<PullCreate['selection']> {
  if (wanted === 'all') return { all: true }
  return wanted === 'none'
    ? {}
    : {
        include: globs
          .split('\n')
          .map((glob) => glob.trim())
          .filter(Boolean),
      }
}

/** An address copied from the hub's page counts as its name. */
const nameOf = (text: string) =>
  /^(?:https?:\/\/[^/]+\/)?(?:models\/|datasets\/)?([\w.-]+\/[\w.-]+)/.exec(text.trim())?.[1] ?? text.trim()

interface PullFormProps {
  me: Me
  upstreams: { id: string; name: string }[]
}

function PullForm({ me, upstreams }: PullFormProps) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const create = useCreatePull()
  const [fault, setFault] = useState<string>()
  const form = useForm<Values>({
    initialValues: {
      upstream: search.get('upstream') ?? upstreams[0]?.id ?? '',
      type: search.get('type') === 'datasets' ? 'dataset' : 'model',
      repo: search.get('repo') ?? '',
      revision: '',
      wanted: 'all',
      globs: '',
      target_ns: UPSTREAM_NAME,
    },
    validate: {
      repo: (text) => (/^[\w.-]+\/[\w.-]+$/.test(nameOf(text)) ? null : 'use the form owner/name'),
      globs: (text, { wanted }) =>
        wanted === 'some' && !text.trim() ? 'name at least one file or glob' : null,
    },
  })
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    const { upstream, type, repo, revision, target_ns } = values
    const body: PullCreate = {
      upstream,
      type,
      repo: nameOf(repo),
      selection: selectionOf(values),
      ...(revision ? { revision } : {}),
      ...(target_ns ? { target_ns } : {}),
    }
    create.mutate(body, {
      onSuccess: (job) => void navigate(pages.job(job.id)),
      onError: (error) => setFault(showProblem(form, error)),
    })
  }, leadToFaults(form))
  const places = [me.username, ...me.orgs.filter(({ role }) => role !== 'read').map(({ ns }) => ns)]
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {fault && <Alert color="danger">{fault}</Alert>}
        <NativeSelect
          label="Hub"
          data={upstreams.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps('upstream')}
        />
        <SegmentedControl
          aria-label="Type"
          w="fit-content"
          data={[
            { value: 'model', label: 'Model' },
            { value: 'dataset', label: 'Dataset' },
          ]}
          {...form.getInputProps('type')}
        />
        <TextInput
          label="Repo"
          required
          autoComplete="off"
          placeholder="owner/name, or its address"
          {...form.getInputProps('repo')}
        />
        <TextInput
          label="Revision"
          autoComplete="off"
          placeholder="main"
          description="A branch, tag or commit."
          {...form.getInputProps('revision')}
        />
        <div>
          <SegmentedControl
            aria-label="Large files"
            data={[
              { value: 'all', label: 'All large files' },
              { value: 'some', label: 'Some' },
              { value: 'none', label: 'None' },
            ]}
            {...form.getInputProps('wanted')}
          />
        </div>
        {form.values.wanted === 'some' && (
          <Textarea
            label="Files"
            description="One path or glob per line, such as *Q4_K_M.gguf. Small files always come."
            autosize
            minRows={2}
            {...form.getInputProps('globs')}
          />
        )}
        <NativeSelect
          label="Place"
          description="Under its own name, clients find it by changing the host alone."
          data={[{ value: UPSTREAM_NAME, label: 'Its own name' }, ...places]}
          {...form.getInputProps('target_ns')}
        />
        <Button type="submit" w="fit-content" loading={create.isPending}>
          Pull
        </Button>
      </Stack>
    </form>
  )
}
