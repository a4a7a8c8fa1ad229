import { type Agent, get } from 'node:http'

/**
 * Opens an event stream. Resolves when the response headers arrive; `onEvent` is called for each
 * data line.
 */
export function openStream(
  url: string,
  headers: Record<string, string>,
  agent: Agent,
  onEvent: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { accept: 'text/event-stream', ...headers } }, (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`Opening a stream failed with status ${response.statusCode}.`))
      let rest = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop()!
        for (const line of lines) if (line.startsWith('data: ')) onEvent()
      })
      response.on('error', () => undefined) // the agent destroys its streams at the end of the run
      resolve()
    })
    request.on('error', reject)
  })
}
