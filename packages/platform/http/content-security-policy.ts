/** Returns a policy that allows only what the directives allow, and forbids frames. */
export function contentSecurityPolicy(...directives: readonly string[]): string {
  const others = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return ["default-src 'none'", ...directives, ...others].join('; ');
}
