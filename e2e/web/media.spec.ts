import { expect, givenRepo, test } from './fixtures.ts'
import { commitBytes } from './tensors.ts'

/** Half a second of a tone, 8000 samples a second of one byte each. */
function sound(): Buffer {
  const samples = Buffer.from(Array.from({ length: 4000 }, (_, i) => 128 + 60 * Math.sin(i / 3)))
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

test('a sound and a film are played on the pages of their files', async ({ page, person }) => {
  const repo = await givenRepo(person)
  const film = await page.evaluate(async () => {
    const canvas = document.body.appendChild(document.createElement('canvas'))
    const drawing = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
    const pieces: Blob[] = []
    recorder.ondataavailable = ({ data }) => pieces.push(data)
    const isOver = new Promise((resolve) => (recorder.onstop = resolve))
    recorder.start()
    for (let i = 0; i < 20; i++) {
      if (drawing) drawing.fillStyle = `rgb(${i * 10} 0 0)`
      drawing?.fillRect(0, 0, 300, 150)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    recorder.stop()
    await isOver
    return [...new Uint8Array(await new Blob(pieces).arrayBuffer())]
  })
  await commitBytes(person, repo, { 'tone.wav': sound(), 'red.webm': Buffer.from(film) })

  await page.goto(`${repo.page}/blob/main/tone.wav`)
  const tone = page.locator('audio[aria-label="tone.wav"]')
  await expect(tone).toHaveJSProperty('duration', 0.5)
  await tone.evaluate((audio: HTMLAudioElement) => audio.play())
  await expect(tone).toHaveJSProperty('ended', true)

  await page.goto(`${repo.page}/blob/main/red.webm`)
  const red = page.locator('video[aria-label="red.webm"]')
  await expect(red).toHaveJSProperty('videoWidth', 300)
  await red.evaluate((video: HTMLVideoElement) => video.play())
  await expect(red).toHaveJSProperty('ended', true)
})
