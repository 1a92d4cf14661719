# Every task of the project. `make` alone lists them; `make run` is all a newcomer needs.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Ports of the demo world; another instance needs other ones and another folder:
#   make run HTTP_PORT=9080 AUTH_PORT=9081 SITE_PORT=9082 DATABASE_PORT=9085 VAR_DIR=var/second
HTTP_PORT ?= 8080
AUTH_PORT ?= 8081
SITE_PORT ?= 8082
DATABASE_PORT ?= 8085
VAR_DIR ?= var
# The console that `make watch` builds: operator or tenant.
CONSOLE ?= tenant
# A Chromium of your own for the browser tests; otherwise the one in PATH, otherwise Debian's is installed (as root).
CHROMIUM ?=
# Questions of each set that `make eval MODEL=1` asks.
SAMPLE ?= 40

# What a first build costs one core (user and system time), measured; see docs/benchmarks.md.
FIRST_BUILD_CPU_SECONDS := 1400

TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
SERVER := $(TARGET_DIR)/debug/server
WITH_POSTGRES := $(SERVER) with-postgres --in-memory --
EVALUATION := $(TARGET_DIR)/debug/evaluation
XTASK := $(TARGET_DIR)/debug/xtask
DEMO := SVC_HTTP_PORT=$(HTTP_PORT) SVC_AUTH_PORT=$(AUTH_PORT) SVC_SITE_PORT=$(SITE_PORT) \
        SVC_DATABASE_PORT=$(DATABASE_PORT) SVC_PATHS_VAR_DIR=$(VAR_DIR)
WASM := --target wasm32-unknown-unknown -p app -p frontend-operator -p frontend-tenant -p widget
LINT := -- -D warnings
# The tool of `make supply`, built from its published source.
CARGO_DENY := 0.20.2
# A clone of the advisory database for `make supply`, and where cargo-deny looks for it (the end is a hash of its address).
ADVISORY_DB ?=
ADVISORY_LINK := var/advisory-dbs/advisory-db-3157b0e258782691
CHECK_ADVISORIES = mkdir -p $(dir $(ADVISORY_LINK)) && ln -sfn "$(abspath $(ADVISORY_DB))" $(ADVISORY_LINK) && \
  $(VAR_DIR)/tools/bin/cargo-deny --offline check --hide-inclusion-graph advisories
NO_ADVISORIES := echo 'Not checked. Name a clone of https://github.com/RustSec/advisory-db: make supply ADVISORY_DB=PATH'
# Tools of `make watch`; the second has the version of the crate wasm-bindgen.
CARGO_LEPTOS := 0.3.10
WASM_BINDGEN := 0.2.130
# Tools of `make test-chart` and `make test-monitoring`, built from their published sources, or taken from Debian.
HELM := helm.sh/helm/v3/cmd/helm@v3.22.0
KUBECTL_VALIDATE := sigs.k8s.io/kubectl-validate@v0.0.4
PYYAML := PyYAML==6.0.4
TOOLS := $(abspath $(VAR_DIR))/tools
# The S3-compatible server of `make test-s3`, and what runs next to it.
S3S_FS := 0.14.1
S3_TESTS := cargo test --locked -p server --lib -- --ignored bucket && \
  $(WITH_POSTGRES) cargo test --locked -p server --test it -- uploads:: tenant_erasure:: duplication::
KEYCLOAK_TEST := cargo test --locked -p server --test it -- --test-threads=1 --nocapture
# The native crates and the widget's pure parts, in one call: with fewer crates, cargo would choose other features for the
# dependencies and compile them again.
TESTED := --locked $(addprefix -p ,app contract server store rag encoder idp tls widget evaluation) --tests
BUILD_TESTS := cargo build --locked -p server && cargo test $(TESTED) --no-run
# Images need root, buildah and, without BASE=IMAGE, mmdebstrap. IMAGES= leaves them out.
IMAGES ?= $(shell [ "$$(id -u)" = 0 ] && command -v buildah >/dev/null && { [ -n "$(BASE)" ] || command -v mmdebstrap >/dev/null; } && echo 1)
# Packs what is shipped, with Python's standard library alone.
PACK := python3 -B deploy/release/package.py $(if $(IMAGES),--images)
# Prints how long a phase took: $(call phase,NAME,COMMAND). The subshell counts: without it, bash goes on after a list `a && b`
# whose first command fails.
phase = @printf '\n== %s\n' '$(1)'; started=$$SECONDS; ( $(2) ); printf '== %s: %s s\n' '$(1)' "$$((SECONDS - started))"
# Builds for the browser, and the page with every component, while COMMAND runs: $(call with_browser_build,COMMAND)
with_browser_build = set -m; { export CARGO_TERM_PROGRESS_WHEN=never; $(XTASK) build && $(XTASK) build gallery; } & set +m; trap "kill -- -$$! 2>/dev/null || true" EXIT; \
  ( $(1) ); wait $$!; trap - EXIT

.PHONY: help
help: ## List all targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

.PHONY: setup
setup: announce xtask ## Add the wasm target and fetch the embedded parts (PostgreSQL, model, JS tools)
	$(call phase,setup,$(XTASK) fetch)

# The first build is long: say so before it begins.
.PHONY: announce
announce:
	@[ -e $(SERVER) ] || { cores=$$(nproc); printf '%s\n' \
	  "The first build takes about $$(($(FIRST_BUILD_CPU_SECONDS) / cores / 60 + 1)) minutes on $$cores cores, and later ones seconds." \
	  "It compiles the build tool, fetches PostgreSQL, models and documents, and compiles the server, the consoles and the widget."; }

.PHONY: build
build: setup ## Build consoles, widget and server
	$(call phase,build,$(XTASK) build --server)

# The oldest C library that a release runs with, such as 2.31: zig's linker has its symbols. Without it, that of this system.
GLIBC ?=
LINKER := $(abspath $(VAR_DIR))/tools/zig/cc
ZIG := cargo-zigbuild==0.24.1 ziglang==0.17.1
RELEASED := $(TARGET_DIR)/release/server
WITH_LINKER := $(if $(GLIBC),CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER=$(LINKER))

.PHONY: linker
linker:
	$(call phase,linker,[ -x $(LINKER) ] || { python3 -m venv $(dir $(LINKER)) && $(dir $(LINKER))bin/pip install --quiet --disable-pip-version-check $(ZIG); })
	@printf '#!/bin/sh\nPATH="%s:$$PATH" exec cargo-zigbuild zig cc -- -target x86_64-linux-gnu.%s "$$@"\n' $(dir $(LINKER))bin $(GLIBC) > $(LINKER)
	@chmod +x $(LINKER)
	@# cargo does not link again because of another linker.
	@[ ! -e $(RELEASED) ] || $(PACK) --program $(RELEASED) --fits $(GLIBC) || rm $(RELEASED) $(TARGET_DIR)/release/deps/server-*

.PHONY: release
release: setup $(if $(GLIBC),linker) ## Build what is shipped and pack it below dist/release: tarball, wheel, Debian package, images, chart, Compose files, npm package, checksums (SIGN_KEY=FILE signs them; GLIBC=2.31 links for an older C library)
	$(call phase,release,$(WITH_LINKER) $(XTASK) build --server --release)
	$(call phase,packages,$(PACK) --program $(RELEASED))

# With PROGRAM nothing is built: it is packed with the consoles and the widget of the last build.
.PHONY: test-release
test-release: $(if $(PROGRAM),,release) ## Install what is shipped from nothing, start its demo world and ask it (PROGRAM=target/debug/server packs that one)
	$(if $(PROGRAM),$(call phase,packages,$(PACK) --program $(PROGRAM)))
	$(call phase,installation from nothing,python3 -B deploy/release/test.py)
	$(call phase,the same bytes again,$(PACK) --program $(or $(PROGRAM),$(RELEASED)) --out $(VAR_DIR)/release \
	  && cmp $(VAR_DIR)/release/SHA256SUMS dist/release/SHA256SUMS && rm -r $(VAR_DIR)/release)

.PHONY: tag
tag: ## Tag this commit as the release of its version
	@version=$$(sed -n 's/^version = "\(.*\)"$$/\1/p' Cargo.toml); \
	grep -q "^## \[$$version\] - " CHANGELOG.md || { echo "error: CHANGELOG.md has no heading of version $$version" >&2; exit 1; }; \
	[ -z "$$(git status --porcelain)" ] || { echo 'error: commit your changes first' >&2; exit 1; }; \
	git tag --annotate "v$$version" --message "Version $$version" && echo "Tagged $$(git rev-parse --short HEAD) as v$$version. Publish it: git push origin v$$version"

.PHONY: test-npm
test-npm: widget chromium ## The npm package of the widget in a page built with Vite and in a plain page (fetches Vite and React)
	$(call phase,package,mkdir -p $(TOOLS) && python3 -B deploy/release/npm.py $(TOOLS)/chat-widget.tgz)
	$(call phase,pages with the package,ARCHIVE=$(TOOLS)/chat-widget.tgz CHROMIUM="$$($(CHROMIUM_PATH))" node --test packages/chat-widget/test/run.test.mjs)

.PHONY: test-chart
test-chart: ## Lint and render the Helm chart and check it with the schemas of Kubernetes (needs Go; builds helm once)
	$(call phase,helm,GOBIN=$(TOOLS)/bin go install $(HELM) && GOBIN=$(TOOLS)/bin go install $(KUBECTL_VALIDATE))
	$(call phase,PyYAML,[ -x $(TOOLS)/python/bin/python ] || python3 -m venv $(TOOLS)/python; $(TOOLS)/python/bin/pip install --quiet --disable-pip-version-check $(PYYAML))
	$(call phase,chart,$(TOOLS)/python/bin/python -B deploy/helm/test.py $(TOOLS)/bin/helm $(TOOLS)/bin/kubectl-validate)

.PHONY: test-compose
test-compose: ## Read the Compose files with the specification's parser (needs Go)
	$(call phase,parser,cd deploy/compose/parser && go build -o $(TOOLS)/bin/compose-parser .)
	$(call phase,compose,python3 -B deploy/compose/test.py $(TOOLS)/bin/compose-parser)

.PHONY: test-compose-services
test-compose-services: $(if $(PROGRAM),,build) keycloak-fetch ## Start the services of compose.yaml as plain processes and sign in (root; needs Go, Java 17 and Maven; PROGRAM names another server)
	$(call phase,parser,cd deploy/compose/parser && go build -o $(TOOLS)/bin/compose-parser .)
	$(call phase,caddy,mkdir -p $(TOOLS)/bin; command -v caddy >/dev/null || [ -x $(TOOLS)/bin/caddy ] || { cd $(TOOLS) && apt-get -q download caddy && dpkg-deb --fsys-tarfile caddy_*.deb | tar x -C bin --strip-components 3 ./usr/bin/caddy; })
	$(call phase,services,python3 -B deploy/compose/run.py $(TOOLS)/bin/compose-parser $(or $(PROGRAM),$(SERVER)) "$$(command -v caddy || echo $(TOOLS)/bin/caddy)" $(VAR_DIR)/parts $(VAR_DIR)/parts/keycloak-26.4.7)

.PHONY: test-monitoring
test-monitoring: ## Check alerts and dashboard with promtool (of PATH, or of Debian's package prometheus)
	$(call phase,promtool,mkdir -p $(TOOLS)/bin; command -v promtool >/dev/null || [ -x $(TOOLS)/bin/promtool ] || { cd $(TOOLS) && apt-get -q download prometheus && dpkg-deb --fsys-tarfile prometheus_*.deb | tar x -C bin --strip-components 3 ./usr/bin/promtool; })
	$(call phase,monitoring,python3 -B deploy/monitoring/test.py "$$(command -v promtool || echo $(TOOLS)/bin/promtool)")

.PHONY: sizes
sizes: setup ## Build consoles and widget as they are shipped, and check their sizes
	$(call phase,files for browsers,$(XTASK) build --release && $(XTASK) weigh)

# MODEL=1 runs the demo world with the fetched language model, AUTH=keycloak on a real Keycloak.
.PHONY: run
run: build $(if $(MODEL),model) $(if $(filter keycloak,$(AUTH)),keycloak-fetch) ## Build everything and start the demo world (MODEL=1: with a language model, fetches 1.1 GB; AUTH=keycloak: on a real Keycloak)
	@exec env $(DEMO) $(if $(filter keycloak,$(AUTH)),node end2end/keycloak.mjs --demo) $(SERVER) demo $(if $(MODEL),--model)

.PHONY: model
model: xtask ## Fetch the language model and its server (1.1 GB; an interrupted download goes on)
	$(call phase,language model,$(XTASK) fetch llama-server model)

.PHONY: watch
watch: widget ## Rebuild and reload a console on every change, with a demo world (CONSOLE=operator; builds cargo-leptos once)
	$(call phase,cargo-leptos,cargo install --locked --quiet --debug --root $(VAR_DIR)/tools cargo-leptos --version $(CARGO_LEPTOS))
	$(call phase,wasm-bindgen,cargo install --quiet --root $(VAR_DIR)/tools wasm-bindgen-cli --version $(WASM_BINDGEN))
	@exec env $(DEMO) PATH="$(abspath $(VAR_DIR))/tools/bin:$$PATH" LEPTOS_SITE_ADDR=127.0.0.1:$(HTTP_PORT) \
	  cargo leptos watch --split --project $(CONSOLE) -- demo --watch $(CONSOLE)

.PHONY: reset
reset: setup ## Empty the demo world (stop it first)
	@cargo build --locked --quiet -p server
	@$(DEMO) $(SERVER) demo --reset

# Clippy compiles the crates of `make test`, so that lint, server, files for browsers and tests are one build. Warnings are
# errors.
test: export RUSTC_WORKSPACE_WRAPPER := clippy-driver
test: export CLIPPY_ARGS := -Dwarnings__CLIPPY_HACKERY__
# Many integration tests wait for a clock or a connection: a third one at a time fills the pauses on two cores.
test: export RUST_TEST_THREADS ?= 3

.PHONY: test
test: setup lint-format lint-style builds test-unit bench-short openapi-check end2end ## Everything that must hold: lint, tests, short benchmarks, OpenAPI drift, browser tests

.PHONY: builds
builds: setup
	$(call phase,build everything with its tests,$(call with_browser_build,{ $(BUILD_TESTS); }))

.PHONY: lint
lint: lint-format lint-style lint-native lint-wasm ## Formatting and clippy, native and wasm; warnings are errors

.PHONY: lint-format
lint-format: ## Check the formatting
	$(call phase,formatting,cargo fmt --all --check)

.PHONY: lint-style
lint-style: ## Contrast of the colour pairs, and no raw values outside the tokens
	$(call phase,style sheets,node style/check.mjs)

.PHONY: lint-native
lint-native: ## Clippy for the native crates
	$(call phase,clippy native,cargo clippy --locked --all-targets $(LINT))
	$(call phase,clippy of the build tool,cargo clippy --locked -p xtask --all-targets $(LINT))
	$(call phase,clippy of the evaluation,cargo clippy --locked -p evaluation --all-targets $(LINT))

.PHONY: lint-wasm
lint-wasm: setup ## Clippy for the browser crates
	$(call phase,clippy wasm,cargo clippy --locked $(WASM) $(LINT))
	$(call phase,clippy of the gallery,cargo clippy --locked --target wasm32-unknown-unknown -p frontend-operator --features gallery $(LINT))

.PHONY: test-unit
test-unit: setup ## Unit and integration tests on the embedded PostgreSQL (TESTS="name" chooses)
	$(call phase,build server and tests,$(BUILD_TESTS))
	$(call phase,unit and integration tests,$(WITH_POSTGRES) cargo test $(TESTED) --no-fail-fast $(TESTS))
	$(call phase,unit tests of the build tool,cargo test --locked -p xtask $(TESTS))

.PHONY: test-llama
test-llama: setup ## Answers of a real llama-server with a small model (fetches 160 MB)
	$(call phase,model server,$(XTASK) fetch llama-server llama)
	$(call phase,build server and tests,cargo build --locked -p server && cargo test --locked -p server --test it --no-run)
	$(call phase,tests with a model,$(WITH_POSTGRES) cargo test --locked -p server --test it -- --ignored --nocapture llama)

.PHONY: test-model
test-model: setup model ## Attacks and answers with a real language model (fetches 1.1 GB; half an hour on two cores)
	$(call phase,build server and tests,cargo build --locked -p server && cargo test --locked -p server --test it --no-run)
	$(call phase,tests with a language model,$(WITH_POSTGRES) cargo test --locked -p server --test it -- --ignored --nocapture --test-threads=1 real_model)

.PHONY: keycloak
keycloak: keycloak-fetch ## Start a real Keycloak with the realm files and test secrets until Ctrl+C (fetches 160 MB; needs Java 17 and Maven)
	@node end2end/keycloak.mjs

.PHONY: keycloak-fetch
keycloak-fetch: xtask
	$(call phase,keycloak,$(XTASK) fetch keycloak)

.PHONY: test-keycloak
test-keycloak: build keycloak-fetch chromium ## Tests against a real Keycloak (fetches 160 MB; needs Java 17 and Maven; half an hour)
	$(call phase,build tests,cargo test --locked -p server --test it --no-run)
	$(call phase,people and system check,PEOPLE_KILLS=100 node end2end/keycloak.mjs $(WITH_POSTGRES) $(KEYCLOAK_TEST) people:: doctor::)
	$(call phase,first installation,node end2end/keycloak.mjs --empty $(WITH_POSTGRES) $(KEYCLOAK_TEST) --ignored init::)
	$(call phase,tokens of Keycloak,node end2end/keycloak.mjs sh -c 'TEST_KEYCLOAK_TOKENS=$$TEST_KEYCLOAK exec $(WITH_POSTGRES) $(KEYCLOAK_TEST) access:: matrix:: isolation::')
	$(call phase,browser and API,SERVER=$(abspath $(SERVER)) CHROMIUM="$$($(CHROMIUM_PATH))" node end2end/run.mjs --keycloak identity invitation restart api journey people operator.test tenant.test)
	# With a Keycloak of its own: a tenant admin's random requests remove people of the tenant.
	$(call phase,schemathesis,SERVER=$(abspath $(SERVER)) CHROMIUM="$$($(CHROMIUM_PATH))" node end2end/run.mjs --keycloak schemathesis)

.PHONY: test-ocr
test-ocr: setup ## Text recognition of scanned pages (installs tesseract and poppler-utils with apt)
	$(call phase,programs,{ command -v tesseract && command -v pdftoppm; } >/dev/null || $$([ "$$(id -u)" = 0 ] || echo sudo) apt-get install --yes tesseract-ocr tesseract-ocr-deu poppler-utils)
	$(call phase,build server and tests,cargo build --locked -p server && cargo test --locked -p server --test it --no-run)
	$(call phase,tests of text recognition,$(WITH_POSTGRES) cargo test --locked -p server --test it -- --ignored --nocapture ocr::)

.PHONY: test-s3
test-s3: setup ## Uploaded files in a bucket of an S3-compatible server (builds s3s-fs once, two minutes)
	$(call phase,s3s-fs,cargo install --locked --quiet --debug --root $(VAR_DIR)/tools s3s-fs --features binary --version $(S3S_FS))
	$(call phase,build server and tests,cargo build --locked -p server && cargo test --locked -p server --no-run)
	$(call phase,tests with a bucket,node end2end/s3.mjs $(VAR_DIR)/tools/bin/s3s-fs sh -c '$(S3_TESTS)')

.PHONY: test-pgbouncer
test-pgbouncer: setup ## Integration tests through PgBouncer in transaction mode (needs pgbouncer; TESTS="name" chooses)
	$(call phase,build server and tests,cargo build --locked -p server && cargo test --locked -p server --test it --no-run)
	$(call phase,tests behind PgBouncer,TEST_PGBOUNCER=1 $(WITH_POSTGRES) cargo test --locked -p server --test it $(TESTS))
	$(call phase,tests of the pooler,$(WITH_POSTGRES) cargo test --locked -p server --test it -- --ignored --nocapture --test-threads=1 pgbouncer::)

.PHONY: test-rolling
test-rolling: setup ## Restart three replicas behind nginx and HAProxy under load (needs both, and openssl)
	$(call phase,build server,cargo build --locked -p server)
	$(call phase,rolling restart,SERVER=$(abspath $(SERVER)) node end2end/rolling-restart.mjs)

.PHONY: test-connections
test-connections: setup ## Measure idle connections and slow readers, directly and through nginx (needs nginx and openssl)
	$(call phase,build server,cargo build --locked -p server)
	$(call phase,hostile connections,SERVER=$(abspath $(SERVER)) node end2end/connections.mjs)

.PHONY: openapi
openapi: ## Write docs/openapi.json from the endpoint table
	@cargo run --locked --quiet -p server -- openapi

.PHONY: openapi-check
openapi-check: ## Fail when docs/openapi.json differs from the endpoint table
	$(call phase,OpenAPI drift,cargo run --locked --quiet -p server -- openapi --check)

.PHONY: docs
docs: openapi ## Write the generated pages: docs/configuration.md and docs/openapi.json
	@cargo run --locked --quiet -p server -- config --markdown > docs/configuration.md.new
	@mv docs/configuration.md.new docs/configuration.md

.PHONY: end2end
end2end: build chromium ## Browser tests in a real Chromium (TESTS="widget" chooses)
	$(call phase,browser tests,SERVER=$(abspath $(SERVER)) CHROMIUM="$$($(CHROMIUM_PATH))" node end2end/run.mjs $(TESTS))

.PHONY: test-clients
test-clients: build ## Clients for TypeScript and Python, generated from docs/openapi.json (installs the generators)
	$(call phase,generated clients,SERVER=$(abspath $(SERVER)) node end2end/clients.mjs)

.PHONY: screenshots
screenshots: build chromium ## Take the README's pictures and tour, and screenshots of every page, from demo worlds of their own
	@SERVER=$(abspath $(SERVER)) CHROMIUM="$$($(CHROMIUM_PATH))" node end2end/screenshots-readme.mjs
	@SERVER=$(abspath $(SERVER)) CHROMIUM="$$($(CHROMIUM_PATH))" node end2end/screenshots.mjs
	@CHROMIUM="$$($(CHROMIUM_PATH))" node end2end/screenshots-widget.mjs

.PHONY: eval
eval: setup $(if $(MODEL),model) ## Measure finding and answering on every set of deploy/eval (BASELINE=1 adds a plain Python pipeline; PUBLIC=PATH asks public sets instead and writes docs/quality.md; MODEL=1 compares with a language model, SAMPLE=all asks it everything)
	$(if $(PUBLIC),,$(call phase,documents,$(XTASK) fetch eval))
	$(call phase,build the evaluation,cargo build --locked -p evaluation)
	$(if $(PUBLIC),$(call phase,public sets,deploy/eval/public/run $(EVALUATION) $(VAR_DIR) $(PUBLIC)),$(call phase,evaluation,$(EVALUATION) deploy/eval/sets.toml $(if $(MODEL),--model --sample $(SAMPLE) $(if $(HALF),--half $(HALF)) --json $(VAR_DIR)/eval-model.json,--json $(VAR_DIR)/eval.json)))
	$(if $(BASELINE),$(call phase,baseline,deploy/eval/baseline/run $(VAR_DIR)))

.PHONY: bench
bench: setup ## Measure the platform next to its peers (BENCH="tenants" chooses; docs/benchmarks.md)
	$(call phase,build release,cargo build --locked --release -p server --bin server --example bench)
	$(call phase,benchmarks,$(TARGET_DIR)/release/server with-postgres -- $(TARGET_DIR)/release/examples/bench $(BENCH))

.PHONY: bench-short
bench-short: setup ## Run the benchmarks with tiny sizes, to see that they still work (BENCH="tenants" chooses)
	$(call phase,build server and benchmarks,cargo build --locked -p server --bin server --example bench)
	$(call phase,short benchmarks,$(WITH_POSTGRES) $(TARGET_DIR)/debug/examples/bench --short $(BENCH))

.PHONY: bench-demo
bench-demo: ## Measure a running demo world (make run in another terminal)
	@cargo run --locked --quiet -p server --example bench_demo -- $(VAR_DIR)/dev.json

.PHONY: bench-widget
bench-widget: sizes chromium ## Measure the widget next to its peers in Chromium (ROUNDS=15; docs/benchmarks.md)
	@CHROMIUM="$$($(CHROMIUM_PATH))" node end2end/bench-widget.mjs $(ROUNDS)
	@CHROMIUM="$$($(CHROMIUM_PATH))" node end2end/bench-widget-tasks.mjs $(ROUNDS)

.PHONY: bench-console
bench-console: build sizes chromium ## Measure the operator console with 10,000 tenants and 1,000,000 audit rows (docs/benchmarks.md)
	@SERVER=$(abspath $(SERVER)) CHROMIUM="$$($(CHROMIUM_PATH))" node end2end/bench-console.mjs

.PHONY: bench-upload
bench-upload: build sizes chromium ## Measure time and memory of uploading 1,000 files in the console (FILES=100 BYTES=1000000; docs/benchmarks.md)
	@SERVER=$(abspath $(SERVER)) CHROMIUM="$$($(CHROMIUM_PATH))" FILES="$(or $(FILES),1000)" BYTES="$(or $(BYTES),1000000)" node end2end/bench-upload.mjs

.PHONY: bench-keys
bench-keys: setup ## Measure what an API key costs next to a token and the widget, and a flood of wrong keys (READS=3000 QUESTIONS=500 WRONG=10000; docs/benchmarks.md)
	$(call phase,build release,cargo build --locked --release -p server --bin server)
	@SERVER=$(TARGET_DIR)/release/server node end2end/bench-keys.mjs

.PHONY: bench-tasks
bench-tasks: build sizes chromium ## Measure the effort of six tasks in the consoles, and every page's shifts and axe findings (PAGES="tenant" chooses; docs/benchmarks.md)
	@SERVER=$(abspath $(SERVER)) CHROMIUM="$$($(CHROMIUM_PATH))" PAGES="$(PAGES)" node end2end/bench-tasks.mjs

.PHONY: fidelity
fidelity: setup ## Read own files of all formats, or those of a folder, next to programs that people use (FILES=PATH LIST=1; needs poppler-utils; docs/benchmarks.md)
	$(call phase,build the reader,cargo build --locked --release -p rag --example read_files)
	$(call phase,other readers,python3 -m venv $(VAR_DIR)/bench/fidelity && $(VAR_DIR)/bench/fidelity/bin/pip install --quiet --requirement bench/fidelity/requirements.txt)
	@rm -rf $(VAR_DIR)/bench/corpus && mkdir -p $(VAR_DIR)/bench/corpus
	@test -n "$(FILES)" || FIDELITY_CORPUS="$(abspath $(VAR_DIR)/bench/corpus)" cargo test --locked --quiet -p rag --test it -- fidelity --nocapture
	@$(VAR_DIR)/bench/fidelity/bin/python bench/fidelity/compare.py "$(or $(FILES),$(VAR_DIR)/bench/corpus)" $(TARGET_DIR)/release/examples/read_files $(LIST)

.PHONY: widget
widget: setup ## Build only the widget bundle
	@$(XTASK) build widget

.PHONY: consoles
consoles: setup ## Build only the two consoles
	@$(XTASK) build consoles

.PHONY: chromium
chromium: ## Find or install the Chromium that the browser tests use
	@.ci/chromium "$(CHROMIUM)"

.PHONY: supply
supply: ## Check licences, sources, unwanted crates and advisories of the dependencies (ADVISORY_DB=PATH; builds cargo-deny once)
	$(call phase,cargo-deny,cargo install --locked --quiet --root $(VAR_DIR)/tools cargo-deny --version $(CARGO_DENY))
	$(call phase,supply chain,$(VAR_DIR)/tools/bin/cargo-deny check --hide-inclusion-graph bans licenses sources)
	$(call phase,advisories,$(if $(ADVISORY_DB),$(CHECK_ADVISORIES),$(NO_ADVISORIES)))

.PHONY: sbom
sbom: ## Write the bill of materials of what is shipped, dist/sbom.cdx.json (CycloneDX)
	$(call phase,bill of materials,mkdir -p dist && python3 -B deploy/release/bill.py dist/sbom.cdx.json)

.PHONY: clean
clean: ## Delete builds; the demo world and the fetched parts stay
	@rm -rf dist end2end/test-results
	@cargo clean

.PHONY: xtask
xtask:
	@command -v cargo >/dev/null || { echo 'error: `cargo` was not found. Install Rust with rustup (https://rustup.rs) and run the command again.' >&2; exit 1; }
	$(call phase,build tool,cargo build --locked --quiet -p xtask)

CHROMIUM_PATH := .ci/chromium --print "$(CHROMIUM)"
