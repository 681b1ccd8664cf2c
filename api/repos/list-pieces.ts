import { eq, sql, type SQL } from 'drizzle-orm'
import { fixedSql, type Tables } from '../db/index.ts'

/** What is the same in all statements of lists. */
interface ListPieces {
  /** `repos` with their `namespaces`. */
  joined: SQL
  /** `select … from … where`, to be completed. */
  chosen: SQL
  /** Both want a list of tags and a closing parenthesis; the first looks each Repo up, the second lists those tagged. */
  isTagged: SQL
  isAmongTagged: SQL
  isOneOf: SQL
}

const pieces = new WeakMap<Tables, ListPieces>()

/** Written once for a schema. */
export function piecesOf(t: Tables): ListPieces {
  const known = pieces.get(t)
  if (known) return known
  const { repos, namespaces, repo_tags } = t
  const fixed = (piece: SQL) => fixedSql(repos.id, piece)
  const joined = fixed(sql`${repos} inner join ${namespaces} on ${eq(namespaces.id, repos.namespace_id)}`)
  const made = {
    joined,
    chosen: fixed(sql`select ${repos.id} from ${joined} where`),
    isTagged: fixed(
      sql`exists (select 1 from ${repo_tags} where ${eq(repo_tags.repo_id, repos.id)} and ${repo_tags.tag} in`,
    ),
    isAmongTagged: fixed(
      sql`${repos.id} in (select ${repo_tags.repo_id} from ${repo_tags} where ${repo_tags.tag} in`,
    ),
    isOneOf: fixed(sql`${repos.id} in`),
  }
  pieces.set(t, made)
  return made
}
