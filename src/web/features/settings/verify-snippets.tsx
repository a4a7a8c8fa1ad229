import { Tabs } from 'radix-ui'
import { CopyButton } from '../../ui/copy-button.tsx'
import { snippets } from './snippets.ts'

/** How a receiver finds out that a call is really from us. */
export function VerifySnippets() {
  return (
    <section>
      <h2>Is it really from us?</h2>
      <p>
        Calls follow Standard Webhooks v1. Check the text of the body as it came, not what your framework made
        of it.
      </p>
      <Tabs.Root defaultValue={snippets[0]!.title}>
        <Tabs.List className="tabs" aria-label="Language">
          {snippets.map(({ title }) => (
            <Tabs.Trigger key={title} value={title}>
              {title}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {snippets.map(({ title, file, code, hint }) => (
          <Tabs.Content key={title} value={title} className="snippet" tabIndex={-1}>
            <header>
              {file}
              <CopyButton className="btn small" icon={null} text={() => code}>
                Copy
              </CopyButton>
            </header>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so it must be reachable */}
            <pre tabIndex={0}>{code}</pre>
            <p className="under">{hint}</p>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </section>
  )
}
