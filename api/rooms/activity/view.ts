import { time, type z } from '../../core/http/contract.ts'
import type { ActivityDays } from './days.ts'
import type { Activity } from './queries.ts'
import type * as routes from './routes.ts'

export const viewActivity = ({ repo, ...deed }: Activity): z.input<typeof routes.Activity> => ({
  ...viewDeed(deed),
  repo,
})

/** What was done, wherever that was. */
export const viewDeed = ({ id, at, commit, discussion }: Omit<Activity, 'repo'>) => ({
  id,
  at: time(at),
  ...(commit && {
    commit: {
      sha: commit.oid.toString('hex'),
      branch: commit.branch,
      ...(commit.title !== null && { title: commit.title }),
    },
  }),
  ...(discussion && { discussion }),
})

export const viewActivityDays = ({
  isPartial,
  ...days
}: ActivityDays): z.input<typeof routes.ActivityDays> => ({
  ...days,
  is_partial: isPartial,
})
