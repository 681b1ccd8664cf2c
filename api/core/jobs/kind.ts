import type { z } from 'zod'
import type { JobUnit } from '../../../shared/vocabulary.ts'
import type { Config } from '../../platform/config/index.ts'
import type { Ctx } from '../ctx.ts'
import type { Tx } from '../../stores/db/index.ts'

/** One attempt of a job, as its run sees it. */
export interface RunningJob {
  readonly id: string
  /** The fencing token: raised by each claim. */
  readonly attempt: number
  /** Aborts on cancel, on a lost lease and when the process stops. Pass it on, and throw its reason. */
  readonly signal: AbortSignal
  /** What is done, in the kind's unit. Written at most once a second, not in the first; throws when the attempt is over. */
  progress(done: number, total?: number): Promise<void>
  /**
   * Adds one line to what people read on the page of the job: what it works on, with counts and paths. All who may see the
   * job read it, so nothing secret: no address with credentials or a signature, no token, no text of an error that is not a
   * Problem. Lines are written once a second and at the end of the attempt; 500 characters each, 1000 for a job.
   */
  log(text: string): void
  /**
   * Runs `change` in one transaction that only commits while this attempt still holds the job. Everything a run does to
   * the database goes through here, so that an attempt whose lease has lapsed changes nothing.
   */
  write<T>(change: (tx: Tx) => Promise<T>): Promise<T>
  /** Says which repo it works on, where that was not known when it was queued: admins of the repo may then see and cancel it. */
  workOn(repoId: string): Promise<void>
  /** As `admitsEqual` of the kind, from now on. */
  admitEqual(): Promise<void>
}

/** The facts an enduring result is turned into an answer with. */
export interface FinishedJob<I> {
  id: string
  input: I
  result: Record<string, unknown>
}

/** A sort of background work. Its runs are idempotent: a lease may lapse, and then another worker begins again. */
export interface JobKind<I = unknown> {
  /** `noun.verb`, such as `repo.purge`. */
  readonly kind: string
  readonly input: z.ZodType<I>
  /** Attempts before a failure that may pass becomes final. */
  readonly maxAttempts: number
  /** What progress counts; `items` when left out. */
  readonly unit?: JobUnit
  /**
   * Which part of a process's workers may be busy with this kind at once, more than 0 and up to 1; all when left out. For
   * jobs that come in crowds and wait for others, so that the rest of the queue moves on.
   */
  readonly share?: number
  /** How many of this kind a process may run at once, where the configuration says so. */
  readonly atOnce?: (config: Config) => number
  /**
   * Whether each person has one at a time, and goes behind those who wait when it begins: for jobs anybody may cause many
   * of. Two workers that claim at the same moment may begin two.
   */
  readonly onePerUser?: boolean
  /**
   * Lets an equal job be queued as soon as this one runs. A run that then reads what it works on sees all that was asked
   * for before, and what comes later gets a run of its own.
   */
  readonly admitsEqual?: boolean
  /** One line for people. */
  title(input: I): string
  /** What is kept as the result. Failures are thrown: a Problem below 500 is final, what may pass is tried again. */
  run(ctx: Ctx, input: I, job: RunningJob): Promise<Record<string, unknown> | undefined>
  /** What its events tell beside the job, such as how far each of its files is. */
  details?(ctx: Ctx, id: string): Promise<Record<string, unknown>>
  /** What the caller is shown of the result, when that is not the result itself (a link signed for them). */
  present?(ctx: Ctx, job: FinishedJob<I>): Promise<Record<string, unknown>>
}

/** What of a kind it takes to queue a job: for rooms below the one that does it. */
export type JobTicket<I> = Pick<JobKind<I>, 'kind' | 'maxAttempts' | 'unit' | 'title'>

/** Declares a kind; `app.ts` and `main.ts` collect them. */
export function defineJob<S extends z.ZodType>(
  kind: Omit<JobKind<z.output<S>>, 'input'> & { input: S },
): JobKind<z.output<S>> {
  return kind as JobKind<z.output<S>>
}
