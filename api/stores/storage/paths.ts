/*
 * The whole layout of the blob store; nothing else builds a key.
 *
 *   git/{repo_id[-2:]}/{repo_id}/{pack_id}.pack | .idx   immutable git packs; .bitmap beside some large ones
 *   lfs/{sha256[0:2]}/{sha256[2:4]}/{sha256}.{put_id}    LFS objects; those that their senders join from parts in the
 *                                                        bucket, under the id of the upload
 *   uploads/{upload_id}/{n}.{put_id}                     parts on their way in
 *   transfers/{id}/{n}.{put_id}                          parts on their way in from an upstream
 *   uploads/{upload_id}/whole                            an object that its sender puts into the bucket in one PUT
 *   xorbs/{hash[0:2]}/{hash}.{put_id} | ….idx            chunk containers and the tables of their chunks
 *   shards/{id}.{put_id}                                 chunk manifests whose files are being rebuilt
 *   attachments/{id[-2:]}/{id}                           images in comments
 *   avatars/{id[-2:]}/{id}                               avatars of people and organisations, and the server's logo
 *   exports/{job_id}/{name}                              results of jobs (zip)
 *   probes/{id}                                          written, read and deleted by `arsenal doctor`
 *
 * Ids are UUIDv7, which begin with the time, so the fan-out takes the last two digits.
 */
export const blobKeys = {
  pack: (repoId: string, packId: string) => `git/${repoId.slice(-2)}/${repoId}/${packId}.pack`,
  packIndex: (repoId: string, packId: string) => `git/${repoId.slice(-2)}/${repoId}/${packId}.idx`,
  packBitmap: (repoId: string, packId: string) => `git/${repoId.slice(-2)}/${repoId}/${packId}.bitmap`,
  repoPacks: (repoId: string) => `git/${repoId.slice(-2)}/${repoId}/`,
  lfsObject: (sha256: string, putId: string) =>
    `lfs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}.${putId}`,
  uploadPart: (uploadId: string, n: number, putId: string) => `uploads/${uploadId}/${n}.${putId}`,
  transferPart: (transferId: string, n: number, putId: string) => `transfers/${transferId}/${n}.${putId}`,
  uploadWhole: (uploadId: string) => `uploads/${uploadId}/whole`,
  xorb: (hash: string, putId: string) => `xorbs/${hash.slice(0, 2)}/${hash}.${putId}`,
  /** Beside its xorb. */
  xorbIndex: (xorbKey: string) => `${xorbKey}.idx`,
  shard: (id: string, putId: string) => `shards/${id}.${putId}`,
  attachment: (id: string) => `attachments/${id.slice(-2)}/${id}`,
  avatar: (id: string) => `avatars/${id.slice(-2)}/${id}`,
  probe: (id: string) => `probes/${id}`,
  export: (jobId: string, name: string) => `exports/${jobId}/${name}`,
}

/**
 * Whether an object is written once and read once, by this server: chunk containers and parts. A disk takes such bytes past
 * the page cache. All others stay in it, since a push is most often followed by downloads.
 */
export const passesOnce = (key: string): boolean => /^(xorbs|uploads|transfers)\//.test(key)
