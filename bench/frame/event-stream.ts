import { type Agent, get } from 'node:http'

export type Stream = { close(): void }

/** Opens an event stream. Resolves with the headers; the callback receives the data of each event. */
export function openStream(
  url: string,
  headers: Record<string, string>,
  agent: Agent,
  onData: (data: string) => void,
): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { agent, headers: { accept: 'text/event-stream', ...headers } }, (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`A stream was answered ${response.statusCode}.`))
      let rest = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop()!
        for (const line of lines) if (line.startsWith('data: ')) onData(line.slice('data: '.length))
      })
      response.on('error', () => undefined) // aborted at the end of the run
      resolve({ close: () => sent.destroy() })
    })
    sent.on('error', reject)
  })
}
