/** So many contributors are listed. */
const MAX_LISTED = 100
/** More people are not counted: who makes up a history may make up as many as it has commits. */
const MAX_PEOPLE = 20_000
/** As much of a name is shown, and of an address compared. Characters. */
const MAX_TEXT = 200

/** A person with commits in a history. */
export interface Contributor {
  /** As their newest commit has it. */
  name: string
  /** The account that made the commits here. */
  userId?: string
  commits: number
  firstAt: Date
  lastAt: Date
}

/** Who made the commits of a history. */
export interface Contributors {
  /** Those with the most commits first, at most 100. */
  people: Contributor[]
  /** How many people there are in all. */
  total: number
  /** How many commits were counted. */
  commits: number
  /** Earlier commits were not counted: there are too many, or they are at the upstream of a mirror alone. */
  isPartial: boolean
}

/** What is counted of a commit. */
export interface CountedCommit {
  name: string
  email: string
  at: Date
  userId?: string | undefined
}

/** Memory that it takes, about. */
export const sizeOfContributors = ({ people }: Contributors): number =>
  people.reduce((bytes, { name }) => bytes + 300 + 2 * name.length, 0)

/**
 * Counts commits by person, newest first. The commits of an account are one person's, whatever their author is called;
 * others belong together by their author's address. An address never leads to an account: anyone can write any.
 */
export class ContributorCount {
  readonly #people = new Map<string, Contributor>()
  #commits = 0

  /** Whether there is room for the commit; it is not counted where there is none. */
  add({ name, email, at, userId }: CountedCommit): boolean {
    const key =
      userId === undefined ? `author ${shortened(email.toLowerCase() || name)}` : `account ${userId}`
    const known = this.#people.get(key)
    if (known) {
      known.commits++
      if (at < known.firstAt) known.firstAt = at
      if (at > known.lastAt) known.lastAt = at
    } else {
      if (this.#people.size === MAX_PEOPLE) return false
      const account = userId === undefined ? {} : { userId }
      this.#people.set(key, { name: shownName(name), ...account, commits: 1, firstAt: at, lastAt: at })
    }
    this.#commits++
    return true
  }

  /** What was counted so far. */
  result(isPartial: boolean): Contributors {
    const people = [...this.#people.values()]
      .sort((a, b) => b.commits - a.commits || b.lastAt.getTime() - a.lastAt.getTime())
      .slice(0, MAX_LISTED)
    return { people, total: this.#people.size, commits: this.#commits, isPartial }
  }
}

/** Its last character is a whole one. */
const shortened = (text: string) => text.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, '')

/** Some histories have an address in place of a name: its domain stays out. */
const shownName = (name: string) => shortened(name).replace(/@\S*/g, '').trim() || 'unknown'
