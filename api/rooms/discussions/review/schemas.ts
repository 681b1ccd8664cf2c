import { limits, repoTypes, reviewVerdicts } from '../../../../shared/vocabulary.ts'
import { Time, z } from '../../../core/http/contract.ts'
import { Comment, CommitId, onLine, Reviewer } from '../schemas.ts'

export const ReviewCreate = z
  .strictObject({
    verdict: z.enum(reviewVerdicts),
    head: CommitId.openapi({ description: 'Head of the pull request, as you have seen it.' }),
    body: Comment.optional(),
    comments: z
      .array(z.strictObject({ place: z.strictObject(onLine), body: Comment.min(1) }))
      .max(limits.reviewComments)
      .default([])
      .openapi({ description: 'On lines of the changes.' }),
  })
  .openapi('ReviewCreate')

export const ReviewerList = z.object({ items: z.array(Reviewer) }).openapi('ReviewerList')

export const ReviewRequestList = z
  .object({
    items: z.array(
      z.object({
        repo: z.object({ type: z.enum(repoTypes), ns: z.string(), name: z.string() }),
        num: z.int(),
        title: z.string(),
        requested_by: z
          .string()
          .optional()
          .openapi({ description: 'Username. Absent when the account is gone.' }),
        created_at: Time,
      }),
    ),
  })
  .openapi('ReviewRequestList')
