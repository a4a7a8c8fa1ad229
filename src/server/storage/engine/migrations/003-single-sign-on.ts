import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(singleSignOn).execute(db)
}

const singleSignOn = `
-- An identity at an identity provider is an account too: provider_id is the issuer, account_id the subject.
CREATE UNIQUE INDEX accounts_identity ON accounts (provider_id, account_id) WHERE provider_id <> 'credential';

-- How the identity provider authenticated the person (the claim amr). Null: the session was started without single sign-on.
ALTER TABLE sign_in_sessions ADD COLUMN amr text[];

-- Finds the invitations to the address of a person who signs in.
CREATE INDEX invitations_email ON invitations (email) WHERE accepted_at IS NULL;

-- Created by the operator, for when the identity provider does not work.
CREATE TABLE sign_in_links (
  token_digest text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
`
