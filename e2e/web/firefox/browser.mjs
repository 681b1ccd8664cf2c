#!/usr/bin/env node
// Debian's Firefox as Playwright starts it. Playwright speaks WebDriver BiDi to it, but begins every context with
// `emulation.setMediaFeaturesOverride`, which Firefox does not know yet. This program stands between the two and answers
// that one command; a journey here must not emulate a colour scheme.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'

const firefox = spawn(process.env['ARSENAL_FIREFOX'] ?? '/usr/bin/firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
})
firefox.on('error', (error) => {
  console.error(String(error))
  process.exit(1)
})
firefox.on('exit', (code) => process.exit(code ?? 1))
process.on('SIGTERM', () => firefox.kill('SIGTERM'))
process.on('SIGINT', () => firefox.kill('SIGINT'))

let said = ''
firefox.stderr.setEncoding('utf8').on('data', (text) => {
  said += text
  const lines = said.split('\n')
  said = lines.pop() ?? ''
  for (const line of lines) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
    if (address) standBetween(address)
    else console.error(line)
  }
})

/** Opens a port of its own and says so with the words that Playwright waits for. */
function standBetween(address) {
  const http = createServer()
  new WebSocketServer({ server: http }).on('connection', (playwright, { url }) => {
    const browser = new WebSocket(`${address}${url}`, { maxPayload: 0, perMessageDeflate: false })
    const early = []
    const send = (text) => (browser.readyState === WebSocket.OPEN ? browser.send(text) : early.push(text))
    browser.on('open', () => early.splice(0).forEach((text) => browser.send(text)))
    browser.on('message', (data) => playwright.send(String(data)))
    browser.on('close', () => playwright.close())
    browser.on('error', (error) => console.error(String(error)))
    playwright.on('message', (data) => {
      const { id, method } = JSON.parse(String(data))
      if (method === 'emulation.setMediaFeaturesOverride')
        playwright.send(JSON.stringify({ type: 'success', id, result: {} }))
      else send(String(data))
    })
    playwright.on('close', () => browser.close())
  })
  http.listen(0, '127.0.0.1', () => {
    const at = http.address()
    if (at && typeof at === 'object') console.error(`WebDriver BiDi listening on ws://127.0.0.1:${at.port}`)
  })
}
