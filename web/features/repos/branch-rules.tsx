import { Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../shared/vocabulary.ts'
import { problemText } from '../../lib/form-errors.ts'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import type { RepoAddress } from '../../lib/types.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Section } from '../../ui/section.tsx'
import frame from '../../ui/ui.module.css'
import {
  branchRulesQuery,
  useCreateBranchRule,
  useDeleteBranchRule,
  useUpdateBranchRule,
  type BranchRule,
} from './queries.ts'

type Settings = Omit<BranchRule, 'id' | 'created_at'>

/** What most people want of a branch that others rely on. */
const usual: Settings = {
  pattern: '',
  require_pull_request: true,
  required_approvals: 0,
  allow_force_push: false,
  allow_deletion: false,
  include_admins: false,
}

/** Rules that protect branches. */
export function BranchRules({ address }: { address: RepoAddress }) {
  const query = useQuery(branchRulesQuery(address))
  return (
    <Section
      title="Branches"
      note="Protect branches that others rely on. Of several rules for one branch, the strictest counts."
    >
      <Loaded query={query}>{({ items }) => <Rules address={address} rules={items} />}</Loaded>
    </Section>
  )
}

function Rules({ address, rules }: { address: RepoAddress; rules: BranchRule[] }) {
  const [isAdding, setIsAdding] = useState(false)
  const create = useCreateBranchRule(address)
  return (
    <Stack gap="sm">
      {rules.length === 0 && !isAdding && (
        <Text size="sm" c="dimmed">
          No branch is protected: members with the role write commit to any, and rewrite all but the default
          branch.
        </Text>
      )}
      {rules.length > 0 && (
        <ul
          className={frame['frame']}
          style={{ margin: 0, padding: 0, listStyle: 'none' }}
          aria-label="Branch rules"
        >
          {rules.map((rule) => (
            <li key={rule.id} className={frame['frameRow']}>
              <Rule address={address} rule={rule} />
            </li>
          ))}
        </ul>
      )}
      {isAdding ? (
        <RuleForm
          initial={rules.length === 0 ? { ...usual, pattern: 'main' } : usual}
          action="Protect"
          isPending={create.isPending}
          error={create.error}
          onCancel={() => {
            create.reset()
            setIsAdding(false)
          }}
          onSubmit={(settings) => create.mutate(settings, { onSuccess: () => setIsAdding(false) })}
        />
      ) : (
        <Button size="xs" variant="default" w="fit-content" onClick={() => setIsAdding(true)}>
          Add a rule
        </Button>
      )}
    </Stack>
  )
}

function Rule({ address, rule }: { address: RepoAddress; rule: BranchRule }) {
  const [isEditing, setIsEditing] = useState(false)
  const update = useUpdateBranchRule(address)
  const remove = useDeleteBranchRule(address)
  if (isEditing)
    return (
      <RuleForm
        initial={rule}
        action="Save"
        isPending={update.isPending}
        error={update.error}
        onCancel={() => {
          update.reset()
          setIsEditing(false)
        }}
        onSubmit={(body) => update.mutate({ id: rule.id, body }, { onSuccess: () => setIsEditing(false) })}
      />
    )
  return (
    <Group justify="space-between" gap="sm">
      <Group gap={6} miw={0}>
        <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {rule.pattern}
        </Text>
        {holdsOf(rule).map((hold) => (
          <Mark key={hold}>{hold}</Mark>
        ))}
      </Group>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          aria-label={`Edit the rule ${rule.pattern}`}
          onClick={() => setIsEditing(true)}
        >
          Edit
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`Delete the rule ${rule.pattern}`}
          loading={remove.isPending}
          onClick={() =>
            remove.mutate(rule.id, {
              onSuccess: () =>
                notifyDone(`Branches like ${rule.pattern} are no longer protected by this rule`),
              onError: notifyProblem,
            })
          }
        >
          Delete
        </Button>
      </Group>
    </Group>
  )
}

/** What a rule asks for, in a few words each. */
function holdsOf(rule: BranchRule): string[] {
  const holds = [
    rule.require_pull_request && 'pull requests only',
    rule.required_approvals > 0 &&
      `${rule.required_approvals} ${rule.required_approvals === 1 ? 'approval' : 'approvals'}`,
    !rule.require_pull_request && !rule.allow_force_push && 'no rewriting',
    !rule.allow_deletion && 'no deletion',
    rule.include_admins && 'admins too',
  ]
  const said = holds.filter((hold) => hold !== false)
  return said.length > 0 ? said : ['allows everything']
}

type Flag = 'require_pull_request' | 'allow_force_push' | 'allow_deletion' | 'include_admins'

/** What a form changes of a rule. */
const settingsOf = (rule: Settings): Settings => ({
  pattern: rule.pattern,
  require_pull_request: rule.require_pull_request,
  required_approvals: rule.required_approvals,
  allow_force_push: rule.allow_force_push,
  allow_deletion: rule.allow_deletion,
  include_admins: rule.include_admins,
})

interface RuleFormProps {
  initial: Settings
  action: string
  isPending: boolean
  error: unknown
  onSubmit: (settings: Settings) => void
  onCancel: () => void
}

function RuleForm({ initial, action, isPending, error, onSubmit, onCancel }: RuleFormProps) {
  const { pattern } = initial
  const [rule, setRule] = useState<Settings>(() => settingsOf(initial))
  const flag = (name: Flag) => ({
    checked: rule[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      const { checked } = event.currentTarget
      setRule((now) => ({ ...now, [name]: checked }))
    },
  })
  return (
    <form
      aria-label={action === 'Protect' ? 'New branch rule' : `Rule ${pattern}`}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit({ ...rule, pattern: rule.pattern.trim() })
      }}
    >
      <Stack gap="sm">
        <TextInput
          size="xs"
          label="Branch or pattern"
          description="A name such as main, or a pattern: release/* matches release/1."
          placeholder="main"
          required
          autoComplete="off"
          maxLength={limits.branchPattern}
          maw={360}
          value={rule.pattern}
          error={error ? problemText(error) : null}
          onChange={(event) => {
            const { value } = event.currentTarget
            setRule((now) => ({ ...now, pattern: value }))
          }}
        />
        <Checkbox
          label="Changes need a pull request"
          description="Commits and pushes to the branch are refused. Merging a pull request changes it."
          {...flag('require_pull_request')}
        />
        <NumberInput
          size="xs"
          label="Approvals before a merge"
          description="By people who may write, of the newest commits. Requested changes hold the merge, too."
          min={0}
          max={limits.requiredApprovals}
          maw={360}
          value={rule.required_approvals}
          onChange={(value) => setRule((now) => ({ ...now, required_approvals: Number(value) || 0 }))}
        />
        <Checkbox
          label="Allow rewriting its history"
          description="Force pushes and squashing, where no pull request is needed."
          disabled={rule.require_pull_request}
          {...flag('allow_force_push')}
        />
        <Checkbox label="Allow deleting it" {...flag('allow_deletion')} />
        <Checkbox
          label="Hold admins to it, too"
          description="Otherwise admins of this repo are free of the rule."
          {...flag('include_admins')}
        />
        <Group gap="xs">
          <Button size="xs" type="submit" loading={isPending}>
            {action}
          </Button>
          <Button size="xs" variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
