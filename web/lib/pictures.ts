import { ApiProblem } from '../../shared/client.ts'
import { fetchInTime, transferHeaders } from './api.ts'

/** What the file picker offers. */
export const pictureTypes = 'image/png,image/jpeg,image/webp'

/** Uploads a picture to an operation that takes its bytes; answers what that does. Throws `ApiProblem`. */
export async function putPicture<T>(url: string, picture: Blob): Promise<T> {
  const response = await fetchInTime(url, {
    method: 'PUT',
    headers: { ...transferHeaders(), 'content-type': picture.type },
    body: picture,
  })
  if (response.ok) return (await response.json()) as T
  const members = (await response.json().catch(() => ({}))) as Record<string, unknown>
  throw new ApiProblem(response.status, members, response.headers)
}
