import snippetStyles from '../../ui/snippet.module.css'
import { Snippet, SnippetTabs } from '../../ui/snippet.tsx'
import { snippets } from './receiver-snippets.ts'

/** How a receiver verifies the signature of a callback. */
export function VerifySnippets() {
  return (
    <section>
      <h2>Verify signatures</h2>
      <p>
        Requests are signed according to Standard Webhooks v1. Verify the raw request body, before your
        framework parses it.
      </p>
      <SnippetTabs
        label="Language"
        tabs={snippets.map(({ title, file, code, hint }) => ({
          title,
          content: (
            <>
              <Snippet where={file} text={code} />
              <p className={snippetStyles.hint}>{hint}</p>
            </>
          ),
        }))}
      />
    </section>
  )
}
