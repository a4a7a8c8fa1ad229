import { SnippetTabs, snippetTab } from '../../ui/snippet.tsx'
import { receiverSnippets } from './webhook-receiver-snippets.ts'

/** How a receiver verifies the signature of a callback. */
export function VerifySnippets() {
  return (
    <section>
      <h2>Verify signatures</h2>
      <p>
        Requests are signed according to Standard Webhooks v1. Verify the raw request body, before your
        framework parses it.
      </p>
      <SnippetTabs label="Language" tabs={receiverSnippets.map((snippet) => snippetTab(snippet))} />
    </section>
  )
}
