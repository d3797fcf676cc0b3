#!/bin/sh
# Replaces kubectl in tests without a cluster: prints the objects to apply or create, or else its arguments.
case "$1" in
  apply)
    if [ "$2" = --kustomize ]; then exec "$KUBECTL" kustomize "$3"; fi
    exec cat "$3"
    ;;
  create) exec "$KUBECTL" "$@" --dry-run=client --output=yaml ;;
  wait | delete | label | exec | annotate | scale) echo "$@" ;;
  *)
    echo "unexpected: $*" >&2
    exit 1
    ;;
esac
