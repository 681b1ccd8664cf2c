import {
  attachmentTypes,
  diffSides,
  discussionEventTypes,
  discussionKinds,
  discussionStatuses,
  labelColors,
  limits,
  reactions,
  reviewerStates,
  reviewVerdicts,
} from '../../../shared/vocabulary.ts'
import { ChangedFile, DiffLine } from '../content/schemas.ts'
import { Time, z } from '../../core/http/contract.ts'
import { Text } from '../repos/schemas.ts'
import { Label } from './labels/schemas.ts'

const Title = Text.trim().min(1).max(limits.discussionTitle)
export const Comment = Text.max(limits.commentBytes)

const Person = z.object({ username: z.string(), avatar_url: z.string() })

export const ReactionCount = z
  .object({
    reaction: z.enum(reactions),
    count: z.int(),
    is_mine: z.boolean().openapi({ description: 'Whether you are among them.' }),
  })
  .openapi('ReactionCount')

export const ReactionList = z.object({ items: z.array(ReactionCount) }).openapi('ReactionList')

export const CommitId = z.string().regex(/^[0-9a-f]{40}$/, 'must be the 40 hexadecimal digits of a commit')

export const onLine = {
  path: z.string(),
  side: z.enum(diffSides).openapi({ description: '`old` is the file as it was, `new` as it becomes.' }),
  line: z.int().min(1),
  start_line: z
    .int()
    .min(1)
    .optional()
    .openapi({
      description: `The first of several lines, of which \`line\` is the last: at most ${limits.reviewLines} of one hunk.`,
    }),
}

const Place = z
  .object({
    ...onLine,
    commit: z.string().openapi({ description: 'The commit whose file the line is of.' }),
    outdated: z.boolean().openapi({ description: 'The file has changed since.' }),
    excerpt: z.array(DiffLine).openapi({
      description:
        'The line and those above it, or all of several lines; empty for callers who may not read the file.',
    }),
  })
  .openapi('ReviewPlace')

const SetMembers = z.array(z.object({ name: z.string(), color: z.enum(labelColors).optional() }))

export const DiscussionEvent = z
  .object({
    id: z.string(),
    type: z.enum(discussionEventTypes),
    author: Person.optional().openapi({ description: 'Absent when the account is gone.' }),
    created_at: Time,
    edited_at: Time.optional(),
    edited_by: z.string().optional().openapi({ description: 'Username.' }),
    edits: z.int().optional().openapi({ description: 'How often a comment was edited.' }),
    hidden: z.boolean().optional(),
    body: z.string().optional().openapi({ description: 'Markdown of a comment; empty once it is hidden.' }),
    from: z.string().optional().openapi({
      description:
        'Former title or status, `draft` among them; of a thread `open` or `resolved`; who is no longer asked for a review.',
    }),
    to: z.string().optional().openapi({ description: 'The same; who is asked for a review.' }),
    commit: z
      .object({ sha: z.string(), title: z.string().optional() })
      .optional()
      .openapi({ description: 'Of a review the head that was read.' }),
    verdict: z.enum(reviewVerdicts).optional().openapi({ description: 'Of a review.' }),
    review: z.string().optional().openapi({ description: 'Id of the review that a comment was sent with.' }),
    place: Place.optional().openapi({ description: 'Of a review comment: the line it is about.' }),
    thread: z.string().optional().openapi({
      description: 'Id of the first of the review comments that belong together; of a change of them, too.',
    }),
    resolved_at: Time.optional().openapi({
      description: 'Of the first comment of a thread: when it was resolved.',
    }),
    reactions: z.array(ReactionCount).optional().openapi({ description: 'To a comment, if any.' }),
    change: z.object({ added: SetMembers, removed: SetMembers }).optional().openapi({
      description:
        'Of a change of labels, their names and colours at the time; of a change of assignees usernames.',
    }),
  })
  .openapi('DiscussionEvent')

export const Reviewer = z
  .object({
    user: Person,
    state: z.enum(reviewerStates).openapi({
      description:
        'By the latest verdict, which comments leave as it is; `requested` while a review is waited for.',
    }),
    is_outdated: z.boolean().openapi({ description: 'The pull request has new commits since.' }),
    counts: z.boolean().openapi({
      description: 'Whether the person may write to the repo: verdicts of others are opinions.',
    }),
  })
  .openapi('Reviewer')

const PullRequest = z.object({
  ref: z.string(),
  base: z.string().openapi({ description: 'The branch it is to be merged into.' }),
  head_commit: z.string(),
  draft: z.boolean().openapi({
    description:
      'It was opened without commits or made a draft. It can be merged once `draft` is set to false, or its status to `open`.',
  }),
  merged_at: Time.optional(),
  merge_commit: z.string().optional(),
  mergeable: z
    .enum(['clean', 'conflicts', 'unknown'])
    .openapi({ description: 'In lists `unknown` unless somebody has looked already.' }),
  conflicts: z.array(z.string()).openapi({ description: 'Paths.' }),
  review: z
    .enum(['approved', 'changes_requested'])
    .optional()
    .openapi({
      description:
        'What the verdicts that count come to. Approvals of earlier commits do not count; requests for changes stay. ' +
        'Absent where there are none, and in answers to changes.',
    }),
  approvals: z
    .object({
      required: z.int(),
      given: z.int().openapi({ description: 'By people who may write, of the newest commits.' }),
      held: z.boolean().openapi({ description: 'You cannot merge it before others approve.' }),
    })
    .optional()
    .openapi({
      description:
        'Where a branch rule requires approvals of what you merge, and one discussion is asked for.',
    }),
})

export const Discussion = z
  .object({
    num: z.int(),
    kind: z.enum(discussionKinds),
    status: z.enum(discussionStatuses),
    title: z.string(),
    author: Person.optional().openapi({ description: 'Absent when the account is gone.' }),
    created_at: Time,
    updated_at: Time,
    comment_count: z.int(),
    labels: z.array(Label).openapi({ description: 'By name.' }),
    assignees: z.array(Person).openapi({ description: 'By name.' }),
    pull_request: PullRequest.optional(),
    events: z
      .array(DiscussionEvent)
      .optional()
      .openapi({ description: 'The thread, oldest first, where one discussion is asked for.' }),
    reviewers: z.array(Reviewer).optional().openapi({
      description: 'Of a pull request, where one discussion is asked for.',
    }),
    muted: z
      .boolean()
      .optional()
      .openapi({ description: 'Whether you muted it, where one discussion is asked for by a user.' }),
  })
  .openapi('Discussion')

export const DiscussionList = z
  .object({
    items: z.array(Discussion),
    next_cursor: z.string(),
    counts: z
      .object({ open: z.int(), closed: z.int() })
      .openapi({ description: 'How many the query finds of either status, whichever it asks for.' }),
  })
  .openapi('DiscussionList')

export const DiscussionCreate = z
  .strictObject({
    kind: z.enum(discussionKinds).default('discussion'),
    title: Title,
    body: Comment.default(''),
  })
  .openapi('DiscussionCreate')

export const DiscussionUpdate = z
  .strictObject({
    title: Title.optional(),
    status: z.enum(discussionStatuses).optional(),
    draft: z
      .boolean()
      .optional()
      .openapi({ description: 'Of an open pull request: makes it a draft, or says that it is ready.' }),
    labels: z
      .array(z.string())
      .max(limits.discussionLabels)
      .optional()
      .openapi({ description: 'Ids of labels of the repo, in place of those it has.' }),
    assignees: z
      .array(Text)
      .max(limits.assignees)
      .optional()
      .openapi({ description: 'Usernames of people who may read the repo, in place of those assigned.' }),
  })
  .openapi('DiscussionUpdate')

export const CommentCreate = z
  .strictObject({
    body: Comment.min(1),
    place: z
      .strictObject({
        ...onLine,
        commit: CommitId.openapi({ description: 'Head of the pull request, as you have seen it.' }),
      })
      .optional()
      .openapi({ description: 'The line of a pull request that it is about, or several of one side.' }),
  })
  .openapi('CommentCreate')
export const SuggestionCommit = z
  .strictObject({
    head: CommitId.openapi({ description: 'Head of the pull request, as you have seen it.' }),
    number: z
      .int()
      .min(1)
      .max(100)
      .default(1)
      .openapi({ description: 'Which one, of a comment that makes several suggestions.' }),
    title: Text.trim()
      .max(limits.commitTitle)
      .optional()
      .openapi({ description: 'Of the commit; `Apply a suggestion to {path}` when left out.' }),
    body: Text.max(limits.commitBodyBytes).optional().openapi({
      description: 'The rest of its message; a line that names the author of the suggestion follows.',
    }),
  })
  .openapi('SuggestionCommit')
export const CommentUpdate = z.strictObject({ body: Comment.min(1) }).openapi('CommentUpdate')

export const Attachment = z
  .object({
    id: z.string(),
    type: z.enum(attachmentTypes),
    size: z.int(),
    url: z.string().openapi({ description: 'What the Markdown of a comment names: `![alt text](url)`.' }),
  })
  .openapi('Attachment')

export const PullRequestFiles = z
  .object({
    base_commit: z.string().openapi({ description: 'Where the pull request left its base.' }),
    head_commit: z.string(),
    files: z.array(ChangedFile),
    truncated: z.boolean().openapi({
      description: 'More files changed than are listed, or lines of some text files were not counted.',
    }),
  })
  .openapi('PullRequestFiles')

export const MergeRequest = z
  .strictObject({
    method: z
      .enum(['squash', 'merge'])
      .default('squash')
      .openapi({ description: 'One commit on the base, or one with both as its parents.' }),
    title: Title.optional().openapi({ description: 'Of the commit.' }),
    comment: Comment.optional(),
  })
  .openapi('MergeRequest')
