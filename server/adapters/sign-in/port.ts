// A provider of identities that signs people in.

/** The state that the server keeps between the way to the provider and the way back. */
export interface OidcAttempt {
  state: string;
  nonce: string;
  verifier: string;
}

export interface OidcIdentity {
  email: string;
  /** True: the provider vouches for the address. */
  isVerified: boolean;
  name: string | null;
}

export interface IdentityProvider {
  /** The address at the provider where the person signs in. */
  begin(redirectUri: string): Promise<{ url: string; attempt: OidcAttempt }>;
  /** The identity in the answer of the provider; throws an `IdentityError`. */
  finish(answer: URL, redirectUri: string, attempt: OidcAttempt): Promise<OidcIdentity>;
}
