CREATE TABLE "avatars" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"namespace_id" text COLLATE "C" NOT NULL,
	"type" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"corrupt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "namespace_readmes" (
	"namespace_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pinned_repos" (
	"namespace_id" text COLLATE "C" NOT NULL,
	"repo_id" text COLLATE "C" NOT NULL,
	"place" integer NOT NULL,
	CONSTRAINT "pinned_repos_namespace_id_repo_id_pk" PRIMARY KEY("namespace_id","repo_id")
);
--> statement-breakpoint
ALTER TABLE "avatars" ADD CONSTRAINT "avatars_namespace_id_namespaces_id_fk" FOREIGN KEY ("namespace_id") REFERENCES "public"."namespaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "namespace_readmes" ADD CONSTRAINT "namespace_readmes_namespace_id_namespaces_id_fk" FOREIGN KEY ("namespace_id") REFERENCES "public"."namespaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pinned_repos" ADD CONSTRAINT "pinned_repos_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "avatars_namespace" ON "avatars" USING btree ("namespace_id");--> statement-breakpoint
CREATE INDEX "pinned_repos_repo" ON "pinned_repos" USING btree ("repo_id");