import { useQueryClient } from '@tanstack/react-query'
import { operationUrl } from '../../shared/client.ts'
import { api } from './api.ts'
import { showAvatarChange } from './avatar-url.ts'
import { useMutation } from './mutation.ts'
import { namespaceQuery } from './namespace.ts'
import { pictureTypes, putPicture } from './pictures.ts'
import type { Namespace } from './types.ts'

/** Uploads a picture as the avatar. */
export function useSetAvatar(ns: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (file: File) =>
      putPicture<Namespace>(operationUrl('setAvatar', { params: { ns } }), await squareOf(file)),
    onSuccess: async (namespace) => {
      await showAvatarChange(ns)
      cache.setQueryData(namespaceQuery(ns).queryKey, namespace)
    },
  })
}

/** Has the initials shown again. */
export function useRemoveAvatar(ns: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => api.removeAvatar({ params: { ns } }),
    onSuccess: async () => {
      await showAvatarChange(ns)
      await cache.invalidateQueries({ queryKey: namespaceQuery(ns).queryKey, exact: true })
    },
  })
}

/** Twice the largest size on a page, for dense screens. */
const SIDE = 256

/**
 * The middle of a picture, square and as large as pages show it: a photo of any size can be chosen, and where it was taken
 * does not leave the browser.
 */
async function squareOf(file: File): Promise<Blob> {
  const unreadable = () =>
    new Error('This file is not a picture that the browser can read. Choose a PNG, JPEG or WebP image.')
  if (!pictureTypes.split(',').includes(file.type)) throw unreadable()
  const picture = await createImageBitmap(file).catch(() => {
    throw unreadable()
  })
  try {
    const side = Math.min(picture.width, picture.height)
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = Math.min(SIDE, side)
    const from = [(picture.width - side) / 2, (picture.height - side) / 2, side, side] as const
    canvas.getContext('2d')?.drawImage(picture, ...from, 0, 0, canvas.width, canvas.height)
    return await new Promise<Blob>((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(unreadable())), 'image/png'),
    )
  } finally {
    picture.close()
  }
}
