import { beforeAll, expect } from 'vitest'
import type { App } from '../../../core/http/env.ts'
import { hubErrorResponse } from '../../../surfaces/hub/wire/errors.ts'
import { isHubPath } from '../../../surfaces/hub/wire/paths.ts'
import { asked, type Content } from '../../../core/lfs/testing.ts'
import { appOf, givenUser, type World } from '../../../testing.ts'
import type { BatchResponse } from '../batch/batch.ts'
import { mountUploads } from '../handlers.ts'
import { mountLfs } from '../../../surfaces/lfs-http/handlers.ts'
import { bearerOf, TinyRepo } from '../testing.ts'

/** Where the repo of an `UploadSite` takes native uploads. */
export const nativeUploads = '/api/service/v1/repos/models/owner/tiny/uploads'

export interface PlannedUpload {
  id: string
  part_size: number
  parts: { n: number; url: string }[]
  complete_url: string
}

export interface PlannedFile {
  path: string
  mode: string
  upload?: PlannedUpload
}

/** Content as a native plan names it. */
export const fileOf = ({ sizeBytes, sha256 }: Content, path = 'model.bin') => ({
  path,
  size: sizeBytes,
  sha256,
})

/** A server of uploads with a repo `owner/tiny` and the bearer headers of its owner and of a stranger. */
export class UploadSite extends TinyRepo {
  app!: App
  mine: Record<string, string> = {}
  theirs: Record<string, string> = {}

  constructor(world: World) {
    super(world, { visibility: 'public' })
    beforeAll(async () => {
      const surface = { owns: isHubPath, render: hubErrorResponse }
      this.app = appOf(world, { native: [mountUploads], root: [mountLfs] }, [surface])
      this.mine = await bearerOf(world, this.owner)
      this.theirs = await bearerOf(world, await givenUser(world, 'stranger'))
    })
  }

  async post(path: string, body: unknown, headers = this.mine): Promise<Response> {
    const type = { 'Content-Type': 'application/json' }
    return this.app.request(path, {
      method: 'POST',
      headers: { ...type, ...headers },
      body: JSON.stringify(body),
    })
  }

  async put(path: string, body: Buffer, headers: Record<string, string> = {}): Promise<Response> {
    const facts = { 'Content-Type': 'application/octet-stream', 'Content-Length': String(body.length) }
    return this.app.request(path, { method: 'PUT', headers: { ...facts, ...headers }, body })
  }

  /** A call of the native API, with its JSON answer. */
  async call(method: string, path: string, body?: unknown, headers = this.mine) {
    const answer = await this.app.request(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  /** What the native API plans for files of the repo. */
  async plan(files: object[]): Promise<PlannedFile[]> {
    const { status, body } = await this.call('POST', nativeUploads, { files })
    expect(status).toBe(200)
    return body['files'] as PlannedFile[]
  }

  /** A native upload of the content. */
  async opened(content: Content): Promise<PlannedUpload> {
    const [planned] = await this.plan([fileOf(content)])
    return planned?.upload ?? expect.fail('nothing to upload')
  }

  /** What the batch of the repo answers for one object. */
  async batch(content: Content, operation: 'upload' | 'download' = 'upload', transfers?: string[]) {
    const body = { operation, objects: [asked(content)], ref: { name: 'main' }, transfers }
    const answer = await this.post('/owner/tiny.git/info/lfs/objects/batch', body)
    expect(answer.status).toBe(200)
    const { objects, transfer } = (await answer.json()) as BatchResponse
    return { transfer, ...objects[0] }
  }

  /** The address the batch gives for one action on one object. */
  async link(content: Content, operation: 'upload' | 'download'): Promise<string> {
    return (await this.batch(content, operation)).actions?.[operation]?.href ?? ''
  }
}
