import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { anonymous, type UserActor } from '../../../core/access/index.ts'
import { revokeToken } from '../../auth/tokens.ts'
import { newId } from '../../../stores/db/index.ts'
import { asked, givenContent, hours, pass, type Content } from '../../../core/lfs/testing.ts'
import { setCollaborators } from '../../repos/people/collaborators.ts'
import { disableRepo } from '../../repos/lifecycle/disable.ts'
import { deleteRepo, updateRepo, type Repo } from '../../repos/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../../testing.ts'
import { watchedDb } from '../../../testing/watched-db.ts'
import { batch } from '../batch/batch.ts'
import { requireSignedUse } from './signed-use.ts'
import { givenLink, givenObject } from '../testing.ts'
import { UploadSite } from '../testing/upload-site.ts'

const MiB = 1024 * 1024

eachDatabase('signed addresses', (world) => {
  const site = new UploadSite(world)
  let root: UserActor
  beforeAll(async () => {
    root = await givenUser(world, 'root', { isAdmin: true })
  })

  interface Signed {
    repo: Repo
    writer: UserActor
    token: UserActor
    stored: Content
    /** What each address answers when it works; the bodies of some are wrong, so that they change nothing. */
    asks: Record<string, { works: number; ask: () => Promise<Response> }>
  }

  /** Every kind of address, made for a token of a collaborator of a private repo. */
  async function givenSigned(): Promise<Signed> {
    const writer = await givenUser(world, `writer-${newId().slice(-8)}`)
    const repo = await givenRepo(world, site.owner)
    await setCollaborators(world.ctx(site.owner), repo, [{ username: writer.username, role: 'write' }])
    const { actor: token } = await givenToken(world, writer, {
      expiresAt: new Date(world.clock.now.getTime() + hours(0.5)),
    })
    const stored = await givenObject(world, token, repo)
    const lent = await givenObject(world, site.owner, repo)
    await givenLink(world, repo, lent)
    const fresh = givenContent()
    const large = { ...givenContent(10), sizeBytes: 65 * MiB }
    const links = async (content: Content, operation: 'upload' | 'download', transfers?: string[]) => {
      const request = { operation, objects: [asked(content)], ref: { name: 'main' }, transfers }
      return (await batch(world.ctx(token), repo, request)).objects[0]?.actions
    }
    const download = (await links(lent, 'download'))?.['download']?.href ?? ''
    const put = await links(fresh, 'upload')
    const parts = (await links(large, 'upload', ['multipart']))?.['upload']
    const verify = put?.['verify']?.href ?? ''
    const short = Buffer.from('short')
    const asks: Signed['asks'] = {
      download: { works: 200, ask: async () => site.app.request(download) },
      size: { works: 200, ask: async () => site.app.request(download, { method: 'HEAD' }) },
      upload: { works: 422, ask: () => site.put(put?.['upload']?.href ?? '', short) },
      verify: { works: 200, ask: () => site.post(verify, asked(stored), {}) },
      part: { works: 422, ask: () => site.put(parts?.header['00001'] ?? '', short) },
      completion: {
        works: 422,
        ask: () => site.post(parts?.href ?? '', { oid: 'f'.repeat(64), parts: [] }, {}),
      },
    }
    return { repo, writer, token, stored, asks }
  }

  const statusesOf = async ({ asks }: Signed) =>
    Object.fromEntries(
      await Promise.all(Object.entries(asks).map(async ([name, { ask }]) => [name, (await ask()).status])),
    ) as Record<string, number>
  const working = ({ asks }: Signed) =>
    Object.fromEntries(Object.entries(asks).map(([name, { works }]) => [name, works]))
  const gone = ({ asks }: Signed) => Object.fromEntries(Object.keys(asks).map((name) => [name, 404]))

  const endings: Record<string, (signed: Signed) => unknown> = {
    'the token is revoked': ({ writer, token }) =>
      revokeToken(world.ctx(writer), token.auth.kind === 'token' ? token.auth.tokenId : ''),
    'the token has expired': () => pass(world, hours(0.5)),
    'the user is disabled': ({ writer }) =>
      world.db.write(({ q, t }) =>
        q.update(t.users).set({ disabled: true }).where(eq(t.users.id, writer.id)),
      ),
    'the user loses the role': ({ repo }) => setCollaborators(world.ctx(site.owner), repo, []),
    'the repo is deleted': ({ repo }) => deleteRepo(world.ctx(site.owner), repo),
    'the repo is disabled': ({ repo }) =>
      disableRepo(world.ctx(root), repo.id, { disabled: true, reason: 'a test' }),
  }
  test.each(Object.entries(endings))('work until %s, and not once after', async (ending, end) => {
    const [signed, other] = [await givenSigned(), await givenSigned()]
    expect(await statusesOf(signed)).toEqual(working(signed))
    await end(signed)
    expect(await statusesOf(signed)).toEqual(gone(signed))
    // An expired token ends with the clock, for everybody.
    if (!ending.includes('expired')) expect(await statusesOf(other)).toEqual(working(other))
  })

  test('answer a refused signer as they answer when the object is absent', async () => {
    const [signed, other] = [await givenSigned(), await givenSigned()]
    const { lfs_links: l } = world.db.t
    await world.db.write(({ q }) => q.delete(l).where(eq(l.repo_id, signed.repo.id)))
    await deleteRepo(world.ctx(site.owner), other.repo)
    const answerOf = async ({ asks }: Signed) => {
      const answer = await asks['download']!.ask()
      answer.headers.delete('x-request-id')
      const headers = Object.fromEntries(answer.headers)
      const body = (await answer.json()) as Record<string, unknown>
      return { status: answer.status, headers, body: { ...body, request_id: '' } }
    }
    const absent = await answerOf(signed)
    expect(absent).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('Request a new one') },
    })
    expect(await answerOf(other)).toEqual(absent)
  })

  test('do not tell that nothing is there when the database fails', async () => {
    const repo = await givenRepo(world, site.owner)
    const content = await givenObject(world, site.owner, repo)
    await givenLink(world, repo, content)
    const ctx = world.ctx(site.owner)
    const request = { operation: 'download' as const, objects: [asked(content)] }
    const href = (await batch(ctx, repo, request)).objects[0]?.actions?.['download']?.href ?? ''
    const away = new Error('the database is away')
    const db = watchedDb(world.db, async () => Promise.reject(away))
    await expect(requireSignedUse({ ...ctx, db }, 'GET', href)).rejects.toBe(away)
  })

  test('made for anonymous readers work while the repo is public', async () => {
    const repo = await givenRepo(world, site.owner, { visibility: 'public' })
    const content = await givenObject(world, site.owner, repo)
    await givenLink(world, repo, content)
    const { config } = world.deps
    const security = { ...config.security, anonymous_read: true }
    const open = { ...world.ctx(anonymous), config: { ...config, security } }
    const request = { operation: 'download' as const, objects: [asked(content)] }
    const href = (await batch(open, repo, request)).objects[0]?.actions?.['download']?.href ?? ''
    expect(await requireSignedUse(open, 'GET', href)).toEqual({ actor: anonymous, repoId: repo.id })
    await updateRepo(world.ctx(site.owner), repo, { visibility: 'private' })
    await expect(requireSignedUse(open, 'GET', href)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('without a grant, as earlier versions made them, are refused', async () => {
    const { secrets } = world.deps
    const address = `http://localhost:8080/api/info/lfs/objects/${'a'.repeat(64)}?repo=x&user=y&size=1`
    const signed = secrets.signUrl('PUT', address, new Date(world.clock.now.getTime() + hours(1)))
    expect((await site.put(signed, Buffer.from('x'))).status).toBe(403)
  })
})
